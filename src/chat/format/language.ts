// The info string of a code fence: the language and a file name.

interface CodeInfo {
  readonly language?: string
  /** The rest of the info string, often a file name; shown above the code. */
  readonly caption: string
}

export function codeInfo(info: string): CodeInfo {
  const found = /^([\w+#.-]{1,32})(?:$|[\s:,]\s*(.*)|(?=\{)(.*))$/.exec(info)
  if (!found?.[1]) return { caption: info }
  return { language: found[1].toLowerCase(), caption: found[2] ?? found[3] ?? '' }
}

const extensions: Readonly<Record<string, string>> = {
  python: 'py',
  python3: 'py',
  javascript: 'js',
  typescript: 'ts',
  'c++': 'cpp',
  'c#': 'cs',
  csharp: 'cs',
  rust: 'rs',
  ruby: 'rb',
  kotlin: 'kt',
  golang: 'go',
  bash: 'sh',
  shell: 'sh',
  zsh: 'sh',
  console: 'sh',
  powershell: 'ps1',
  markdown: 'md',
  latex: 'tex',
  haskell: 'hs',
  perl: 'pl',
  objectivec: 'm',
  'objective-c': 'm',
  plaintext: 'txt',
  text: 'txt',
}

/** A short language name is also its file extension. */
const extensionOf = (language: string): string | undefined =>
  extensions[language] ?? (/^[a-z][a-z0-9]{0,4}$/.test(language) ? language : undefined)

/** Whether a caption such as `title="src/app.py"` only repeats the file name. */
function isOnlyName(caption: string, name: string): boolean {
  const bare = caption.replace(/^\w+=/, '').replace(/["']/g, '')
  return bare === '' || bare === name || (bare.endsWith(`/${name}`) && !/\s/.test(bare))
}

/** The file name for code with that info string, and the part of the info string that the name does not contain. */
export function codeFile(info: string): { name: string; caption: string } {
  const { language = '', caption } = codeInfo(info)
  const isWhole = language === 'dockerfile' || language === 'makefile'
  const extension = language === '' ? 'txt' : extensionOf(language)
  const named = /(?:^|[\s="'/])([\w-][\w.-]{0,59}\.\w{1,8})["']?$/.exec(caption.slice(-200))?.[1]
  const name = named ?? (isWhole ? language : `code.${extension ?? 'txt'}`)
  if (extension === undefined && !isWhole) return { name, caption: info }
  return { name, caption: isOnlyName(caption, name) ? '' : caption }
}
