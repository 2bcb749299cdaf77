// How many cases a fuzz test tries: a tenth in `npm test`, all of them in the long tests.

const share = Number(process.env.FUZZ ?? '1') / 10

/** @param all the number of cases in the long tests */
export const runs = (all: number): number => Math.ceil(all * share)
