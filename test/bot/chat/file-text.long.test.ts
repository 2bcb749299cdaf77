// Documents that would take all memory of the process that reads them.

import { describe, expect, it } from 'vitest'
import { readPdf } from '../../../src/media/convert.ts'
import { pdfBomb, pdfOf, pdfOfManyLetters } from '../../support/media/pdf.ts'
import { start } from '../../support/runtime/child.ts'

const textOf = async (...given: Parameters<typeof readPdf>) => (await readPdf(...given))?.text || undefined

describe('a document of the type PDF', () => {
  it('that unpacks to far more than its size yields no text, and the next document is still read', async () => {
    const bomb = pdfBomb(400_000_000)
    expect(bomb.length).toBeLessThan(10_000)
    expect(await textOf(bomb)).toBeUndefined()
    expect(await textOf(pdfOf('Next'))).toBe('Next')
  }, 60_000)

  it('whose font is larger than the heap yields no text, and does not end the process while that is busy', async () => {
    expect(pdfOfManyLetters().length).toBeLessThan(1500)
    const { ended, output } = start('test/support/media/heap-bombs.ts')
    expect([await ended, output()]).toEqual([0, '[null,"next"]'])
  })
})
