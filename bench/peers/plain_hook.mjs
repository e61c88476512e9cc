// A hook as people usually write one for Node: read stdin, parse, append a line.
import { appendFileSync, readFileSync } from "node:fs";

const [event, log] = process.argv.slice(2);
const payload = JSON.parse(readFileSync(0, "utf8"));
appendFileSync(log, JSON.stringify({ event, session: payload.session_id }) + "\n");
