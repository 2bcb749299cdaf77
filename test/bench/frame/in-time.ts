// A bench that waits for what does not come says so.

const mostMs = 55_000

export function inTime<T>(what: string, begin: (resolve: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`it has not come in time: ${what}`)), mostMs)
    begin((value) => {
      clearTimeout(late)
      resolve(value)
    })
  })
}
