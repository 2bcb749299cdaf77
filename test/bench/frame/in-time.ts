// A wait with a deadline, so that a benchmark fails with a message instead of hanging.

const mostMs = 55_000

export function inTime<T>(what: string, begin: (resolve: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`timed out waiting for ${what}`)), mostMs)
    begin((value) => {
      clearTimeout(late)
      resolve(value)
    })
  })
}
