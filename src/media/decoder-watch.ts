// The second thread of a decoder process: ends the process when its job exceeds a limit. At the start of a job it is sent the two limits
// (processor time in milliseconds, memory in bytes); any other message marks the end of the job.

import assert from 'node:assert/strict'
import { parentPort } from 'node:worker_threads'

const lookEveryMs = 50

assert(parentPort, 'this is a thread')
let timer: NodeJS.Timeout | undefined
parentPort.on('message', (message: unknown) => {
  clearInterval(timer)
  if (!(message instanceof Float64Array)) return
  const [cpuMs = 0, memoryBytes = 0] = message
  const before = process.cpuUsage()
  timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    const isBusy = (user + system) / 1000 > cpuMs
    if (isBusy || process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGKILL')
  }, lookEveryMs)
})
