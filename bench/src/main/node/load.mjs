// The load that a peer is put under, and how its figures go back: one JSON line when it is ready, one when it is done.
//
// What is asked for comes as JSON in the first argument; the measured part begins with the first line on stdin. A peer gives
//   produce(payloads)        returns when the items are committed
//   work(take)               starts its workers; take(payload) is called for each item
//   stop()                   ends them, with everything settled
import { once } from "node:events";
import { performance } from "node:perf_hooks";

const MOST_LATENCIES = 10_000;

export const asked = JSON.parse(process.argv[2]);

/** Which items have been worked, and whether any was worked twice. */
class Tally {
  constructor() {
    this.seen = new Uint8Array(1 << 20);
    this.count = 0;
    this.duplicates = 0;
    this.perSecond = [];
    this.waiting = null;
  }

  begin() {
    this.start = performance.now();
  }

  took(n) {
    while (n >= this.seen.length) {
      const larger = new Uint8Array(this.seen.length * 2);
      larger.set(this.seen);
      this.seen = larger;
    }
    this.duplicates += this.seen[n];
    this.seen[n] = 1;
    this.count++;
    const second = Math.floor((performance.now() - this.start) / 1000);
    this.perSecond[second] = (this.perSecond[second] ?? 0) + 1;
    if (this.waiting !== null && this.count >= this.waiting.count) {
      this.waiting.resolve();
    }
  }

  reached(count) {
    return new Promise((resolve) => {
      this.waiting = { count, resolve };
      if (this.count >= count) {
        resolve();
      }
    });
  }
}

let next = 0;
// letters that do not compress, as everybody's
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const filler = Array.from({ length: Math.max(1, asked.payloadBytes - 25) }, () => letters[Math.floor(Math.random() * 64)]).join("");

function payloads(count) {
  return Array.from({ length: count }, () => ({ n: next++, p: filler }));
}

async function together(count, run) {
  await Promise.all(Array.from({ length: count }, run));
}

async function preload(peer, items) {
  for (let left = items; left > 0; left -= 1000) {
    await peer.produce(payloads(Math.min(1000, left)));
  }
}

async function produce(peer) {
  const latencies = [];
  let operations = 0;
  const end = performance.now() + asked.seconds * 1000;
  await together(asked.threads, async () => {
    while (performance.now() < end) {
      const items = payloads(asked.batch);
      const start = performance.now();
      await peer.produce(items);
      latencies.push(performance.now() - start);
      operations += items.length;
    }
  });
  return { operations, latencies };
}

async function drain(peer, tally) {
  const all = tally.reached(asked.items);
  await peer.work((payload) => tally.took(payload.n));
  await all;
  await peer.stop();
  return { operations: asked.items };
}

async function steady(peer, tally) {
  const end = performance.now() + asked.seconds * 1000;
  let produced = 0;
  await peer.work((payload) => tally.took(payload.n));
  await together(asked.threads, async () => {
    while (performance.now() < end) {
      if (produced - tally.count > asked.backlog) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      const items = payloads(asked.batch);
      produced += items.length;
      await peer.produce(items);
    }
  });
  await tally.reached(produced);
  await peer.stop();
  return { operations: produced };
}

async function pickup(peer) {
  const latencies = [];
  let arrived;
  await peer.work(() => arrived());
  const end = performance.now() + asked.seconds * 1000;
  while (latencies.length < asked.items && performance.now() < end) {
    const there = new Promise((resolve) => (arrived = resolve));
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 20));
    const start = performance.now();
    await Promise.all([peer.produce(payloads(1)), there]);
    latencies.push(performance.now() - start);
  }
  await peer.stop();
  return { operations: latencies.length, latencies };
}

const kinds = { produce, drain, steady, pickup };

/** As many as may be sent, evenly picked. */
function sample(values) {
  const step = Math.max(1, values.length / MOST_LATENCIES);
  return Array.from({ length: Math.min(values.length, MOST_LATENCIES) }, (_, i) => values[Math.floor(i * step)]);
}

/** Done when it is written: a process that ends before that cuts off what does not fit into the pipe. */
function say(line) {
  return new Promise((written) => process.stdout.write(JSON.stringify(line) + "\n", written));
}

export async function run(peer) {
  if (asked.kind === "drain") {
    await preload(peer, asked.items);
  }
  await say({ ready: true });
  await once(process.stdin, "data");
  const tally = new Tally();
  tally.begin();
  const cpu = process.cpuUsage();
  const result = await kinds[asked.kind](peer, tally);
  const used = process.cpuUsage(cpu);
  await say({
    done: true,
    operations: result.operations,
    latencies_ms: sample(result.latencies ?? []),
    per_second: Array.from(tally.perSecond, (count) => count ?? 0),
    duplicates: tally.duplicates,
    cpu_seconds: (used.user + used.system) / 1e6,
  });
  process.exit(0);
}
