// The program of a process for one job: see process.ts. It reads the bytes from its input, runs the job in a thread, and writes the answer
// to its output. Its event loop has nothing else to do, so the limits of the thread are kept whatever the thread does.

import { buffer } from 'node:stream/consumers'
import { runInThread } from './thread.ts'

const [script = '', timeoutMs, cpuMs, memoryBytes] = process.argv.slice(2)
const answer = await runInThread(new URL(script), await buffer(process.stdin), {
  timeoutMs: Number(timeoutMs),
  cpuMs: Number(cpuMs),
  memoryBytes: Number(memoryBytes),
})
if (answer) process.stdout.write(answer, () => process.exit(0))
else process.exit(1)
