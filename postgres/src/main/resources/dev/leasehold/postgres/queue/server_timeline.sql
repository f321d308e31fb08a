-- queue/server_timeline: in which timeline the server writes; it fails on servers that do not tell.
select ${server_timeline} as timeline;
