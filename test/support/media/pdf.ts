// Generated PDFs: with some text, or with text that decompresses to a very large size.

import { deflateSync } from 'node:zlib'

interface Stream {
  readonly bytes: Buffer
  readonly filters: number
}

/** A font with further objects, the first of which has the number `at`. */
interface Font {
  entries(at: number): string
  readonly objects: readonly Buffer<ArrayBuffer>[]
}

const helvetica: Font = { entries: () => '/Subtype /Type1 /BaseFont /Helvetica', objects: [] }

/** @param pages the content of each page */
function pdf(pages: readonly Stream[], letters = helvetica): Buffer {
  const [catalog, tree, font] = [1, 2, 3]
  const pageAt = (index: number) => 4 + 2 * index
  const kids = pages.map((_, index) => `${pageAt(index)} 0 R`).join(' ')
  const objects = [
    Buffer.from(`<< /Type /Catalog /Pages ${tree} 0 R >>`),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
    Buffer.from(`<< /Type /Font ${letters.entries(pageAt(pages.length))} >>`),
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
    ...letters.objects,
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

const stream = (content: string, entries = '') =>
  Buffer.from(`<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`)

/** The font maps the letter `A` to the character U+0000, as the PDFs of some programs do. */
export const pdfWithNul = (text: string): Buffer =>
  pdf([{ bytes: deflateSync(showing(text)), filters: 1 }], {
    entries: (at) => `${helvetica.entries(at)} /ToUnicode ${at} 0 R`,
    objects: [
      stream(
        'begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <0000> endbfchar endcmap',
      ),
    ],
  })

/** A PDF of 1.4 kilobytes whose font has a table of 100 million letters, which takes gigabytes of the heap. */
export function pdfOfManyLetters(): Buffer {
  const ranges = ['00', '01', '02', '03', '04', '05'].map((first) => `<${first}000000> <${first}ffffff> 0`)
  const table = `begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange
    ${ranges.length} begincidrange\n${ranges.join('\n')}\nendcidrange endcmap`
  const system = '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>'
  return pdf([{ bytes: deflateSync(showing('letters')), filters: 1 }], {
    entries: (at) =>
      `/Subtype /Type0 /BaseFont /Many /Encoding ${at} 0 R /DescendantFonts [<<
        /Type /Font /Subtype /CIDFontType2 /BaseFont /Many ${system}
        /FontDescriptor << /Type /FontDescriptor /FontName /Many /Flags 4 >> >>]`,
    objects: [stream(table, `/Type /CMap /CMapName /Many ${system}`)],
  })
}

/** A PDF of a few kilobytes that decompresses to this many bytes: its content is deflated twice. */
export function pdfBomb(unpackedBytes: number): Buffer {
  const once = deflateSync(showing(Buffer.alloc(unpackedBytes, 'a')), { level: 1 })
  return pdf([{ bytes: deflateSync(once), filters: 2 }])
}
