/** Source text as it is drawn: lines of tokens. */
type Token = string | readonly [text: string, kind: string]
export type HighlightedLines = readonly (readonly Token[])[]

export const plain = (source: string): HighlightedLines =>
  source
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? [] : [line]))

export const textOf = (lines: HighlightedLines): string =>
  lines.map((line) => line.map((token) => (typeof token === 'string' ? token : token[0])).join('')).join('\n')
