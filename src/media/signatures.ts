// Recognises formats by their first bytes, or by keywords in text formats.

type Part = readonly [at: number, bytes: string]

const fixed: readonly (readonly [extension: string, ...parts: Part[]])[] = [
  ['png', [0, '\x89PNG']],
  ['jpg', [0, '\xff\xd8\xff']],
  ['gif', [0, 'GIF8']],
  ['webp', [0, 'RIFF'], [8, 'WEBP']],
  ['cr2', [0, 'II*\0'], [8, 'CR']],
  ['tiff', [0, 'II*\0']],
  ['tiff', [0, 'MM\0*']],
  ['avif', [4, 'ftypavif']],
  ['heic', [4, 'ftyphe']],
  ['heic', [4, 'ftypmif1']],
  ['heic', [4, 'ftypmsf1']],
  ['cr3', [4, 'ftypcrx']],
  ['jp2', [4, 'jP  ']],
  ['jxl', [4, 'JXL ']],
  ['bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['raf', [0, 'FUJIFILM']],
  ['psd', [0, '8BPS']],
  ['m4a', [4, 'ftypM4A']],
  ['m4a', [4, 'ftypM4B']],
  ['mov', [4, 'ftypqt  ']],
  ['mov', [4, 'moov']],
  ['mov', [4, 'wide']],
  ['mp4', [4, 'ftyp']],
  ['mkv', [0, '\x1aE\xdf\xa3']],
  ['avi', [0, 'RIFF'], [8, 'AVI ']],
  ['flv', [0, 'FLV\x01']],
  ['mpg', [0, '\0\0\x01\xba']],
  ['ts', [0, 'G'], [188, 'G'], [376, 'G']],
  ['mp3', [0, 'ID3']],
  ['wav', [0, 'RIFF'], [8, 'WAVE']],
  ['wav', [0, 'RF64'], [8, 'WAVE']],
  ['ogg', [0, 'OggS']],
  ['flac', [0, 'fLaC']],
  ['amr', [0, '#!AMR']],
  ['aiff', [0, 'FORM'], [8, 'AIF']],
  ['mid', [0, 'MThd']],
  ['glb', [0, 'glTF']],
  ['fbx', [0, 'Kaydara FBX Binary']],
  ['usdc', [0, 'PXR-USDC']],
  ['ply', [0, 'ply\nformat ']],
  ['ply', [0, 'ply\r\nformat ']],
  ['blend', [0, 'BLENDER']],
  ['zip', [0, 'PK\x03\x04']],
  ['zip', [0, 'PK\x05\x06']],
  ['gz', [0, '\x1f\x8b']],
  ['rar', [0, 'Rar!\x1a']],
  ['7z', [0, '7z\xbc\xaf']],
  ['tar', [257, 'ustar']],
  ['pdf', [0, '%PDF-']],
]

/** Patterns that are tried before the fixed bytes, because they are more specific. */
const patterns: readonly (readonly [extension: string, pattern: RegExp])[] = [
  ['avif', /^.{4}ftypm[is]f1.{4}(.{4}){0,8}avi[fs]/s],
  ['webm', /^.E\xdf\xa3.{0,60}webm/s],
  ['usdz', /^PK.{28}[ -~]{1,200}\.usd[acz]/s],
  ['3mf', /^PK.{28}3D\//s],
  ['mp3', /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb][^\xf0-\xff]/],
  ['aac', /^\xff[\xf0\xf1\xf8\xf9]/],
]

/**
 * Patterns for text files only: an uncompressed archive can contain the same characters. Neighbouring repetitions of a pattern have no
 * character in common, so that the time is proportional to the length of the text.
 */
const written: typeof patterns = [
  ['svg', /^\s*(<svg\b|<(\?xml|!--|!DOCTYPE svg)[\s\S]*<svg\b)/],
  ['dae', /^\s*(<COLLADA\b|<(\?xml|!--)[\s\S]*<COLLADA\b)/],
  ['usda', /^#usda /],
  ['fbx', /^; FBX /],
  ['stl', /^solid\b[^\n]*\n\s*facet/],
  ['mtl', /^[ \t]*newmtl /m],
  ['obj', /^(mtllib \S|v[ \t]+-?[\d.]\S*[ \t]+-?[\d.]\S*[ \t]+-?[\d.])/m],
  ['vtt', /^WEBVTT/],
  ['srt', /^\s*\d+\s*\r?\n\d\d:\d\d:\d\d[,.]\d{3} --> /],
  ['ass', /^\[Script Info\]/],
  ['lrc', /^(\[\w+:[^\]\n]*\]\s*)*\[\d\d:\d\d[.:]\d\d/],
]

/**
 * The extension of the recognised format.
 * @param head the beginning of the file as latin1, without a byte order mark
 */
export function signatureOf(head: string, isWritten: boolean): string | undefined {
  const matches = ([, pattern]: readonly [string, RegExp]) => pattern.test(head)
  const [extension] =
    patterns.find(matches) ??
    (isWritten ? written.find(matches) : undefined) ??
    fixed.find(([, ...parts]) => parts.every(([at, bytes]) => head.startsWith(bytes, at))) ??
    []
  return extension
}
