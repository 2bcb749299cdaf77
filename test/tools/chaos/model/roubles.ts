// Amounts as a person reads them in the English texts of the bot: `₽1,092.45` is 109245 kopecks.

const amount = /₽([\d,]+)\.(\d\d)(?!\d)/g

/** All amounts of a text in kopecks, in their order. */
export const amountsIn = (text: string): readonly number[] =>
  [...text.matchAll(amount)].map(([, roubles = '', kopecks = '']) =>
    Number(roubles.replaceAll(',', '') + kopecks),
  )

/** The first amount of a text in kopecks. */
export const amountIn = (text: string): number | undefined => amountsIn(text)[0]
