// Processor time. Unlike the time on the clock it does not depend on what else the machine does.

/** Of this thread so far, in milliseconds. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
