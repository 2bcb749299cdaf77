// Generated PDFs: with some text, or with text that decompresses to a very large size.

import { deflateSync } from 'node:zlib'

interface Stream {
  readonly bytes: Buffer
  readonly filters: number
}

/**
 * @param pages the content of each page
 * @param meanings a ToUnicode map of the font, for letters whose character differs from their code
 */
function pdf(pages: readonly Stream[], meanings?: Buffer): Buffer {
  const [catalog, tree, font] = [1, 2, 3]
  const pageAt = (index: number) => 4 + 2 * index
  const kids = pages.map((_, index) => `${pageAt(index)} 0 R`).join(' ')
  const objects = [
    Buffer.from(`<< /Type /Catalog /Pages ${tree} 0 R >>`),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
    Buffer.from(
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica${meanings ? ` /ToUnicode ${pageAt(pages.length)} 0 R` : ''} >>`,
    ),
    ...pages.flatMap(({ bytes, filters }, index) => [
      Buffer.from(
        `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 300 300] /Contents ${pageAt(index) + 1} 0 R
          /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
      ),
      Buffer.concat([
        Buffer.from(`<< /Length ${bytes.length} /Filter [${' /FlateDecode'.repeat(filters)}] >>\nstream\n`),
        bytes,
        Buffer.from('\nendstream'),
      ]),
    ]),
    ...(meanings
      ? [
          Buffer.concat([
            Buffer.from(`<< /Length ${meanings.length} >>\nstream\n`),
            meanings,
            Buffer.from('\nendstream'),
          ]),
        ]
      : []),
  ]
  const parts = [Buffer.from('%PDF-1.4\n')]
  const offsets = objects.map((object, index) => {
    const offset = parts.reduce((sum, { length }) => sum + length, 0)
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'))
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = parts.reduce((sum, { length }) => sum + length, 0)
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  parts.push(
    Buffer.from(`${table}trailer << /Size ${size} /Root ${catalog} 0 R >>\nstartxref\n${start}\n%%EOF`),
  )
  return Buffer.concat(parts)
}

const showing = (text: string | Buffer) =>
  Buffer.concat([Buffer.from('BT /F1 12 Tf 20 200 Td ('), Buffer.from(text), Buffer.from(') Tj ET')])

export const pdfOf = (...pages: readonly string[]): Buffer =>
  pdf(pages.map((text) => ({ bytes: deflateSync(showing(text)), filters: 1 })))

/** The font maps the letter `A` to the character U+0000, as the PDFs of some programs do. */
export const pdfWithNul = (text: string): Buffer =>
  pdf(
    [{ bytes: deflateSync(showing(text)), filters: 1 }],
    Buffer.from(
      'begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <0000> endbfchar endcmap',
    ),
  )

/** A PDF of a few kilobytes that decompresses to this many bytes: its content is deflated twice. */
export function pdfBomb(unpackedBytes: number): Buffer {
  const once = deflateSync(showing(Buffer.alloc(unpackedBytes, 'a')), { level: 1 })
  return pdf([{ bytes: deflateSync(once), filters: 2 }])
}
