// Processor time. Unlike elapsed time it does not depend on other work of the machine.

/** The processor time of this thread so far, in milliseconds. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
