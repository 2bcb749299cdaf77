// The second thread of a decoder process: ends the process when its job exceeds a limit. It gets the limits of processor time in milliseconds
// and of memory in bytes when a job begins, and something else when it ends.

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
