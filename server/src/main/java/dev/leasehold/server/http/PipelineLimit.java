package dev.leasehold.server.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes a connection with more than {@link #MOST} requests that are not answered yet.
 *
 * <p>Vert.x answers the requests of a connection one by one, and keeps those that came in the same read. Some 50 bytes on the wire
 * are 2 kB in memory, so a crowd that pipelines would need little to fill the heap.
 */
final class PipelineLimit extends ChannelDuplexHandler {
    static final int MOST = 16;

    private int unanswered;
    private boolean isOver;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            unanswered++;
        }
        if (unanswered > MOST && !isOver) {
            isOver = true;
            context.channel().unsafe().close(context.channel().newPromise());
        }
        if (isOver) {
            ReferenceCountUtil.release(message); // the decoder passes on all that it has read
        } else {
            context.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof LastHttpContent && !isContinue(message)) {
            unanswered--;
        }
        var unused = context.write(message, promise); // the promise tells
    }

    private static boolean isContinue(Object message) {
        return message instanceof HttpResponse response
                && response.status().code() == HttpResponseStatus.CONTINUE.code();
    }
}
