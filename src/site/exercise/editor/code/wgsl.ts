/**
 * WGSL for the editor: tokens for colours, and brackets for indentation. Not a parser; what is
 * wrong with a shader is reported by WebGPU. Words are those of the WGSL specification,
 * https://www.w3.org/TR/WGSL/ (keywords and predeclared types).
 */
import { StreamLanguage, type StringStream } from '@codemirror/language'
import { tags } from '@lezer/highlight'

const words = (text: string): RegExp =>
  new RegExp(`^(?:${text.trim().split(/\s+/).join('|')})(?!\\p{XID_Continue})`, 'u')

/** By the kind of token; the first that fits wins. */
const TOKENS: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^\/\/.*/, 'comment'],
  [/^(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[iufh]?/, 'constant'],
  [words('true false'), 'constant'],
  [/^(?:@\p{XID_Continue}*|var<[^>]*>)/u, 'keyword'],
  [
    words(`
      alias break case const const_assert continue continuing default diagnostic discard else enable fn for if let loop
      override requires return struct switch var while`),
    'keyword',
  ],
  // Types where they stand alone, and constructors before a parenthesis.
  [/^[\p{XID_Start}_]\p{XID_Continue}*(?=\s*\()/u, 'function'],
  [
    words('bool [fiu]32 f16 vec[234][fhiu]? mat[234]x[234][fh]? array atomic ptr sampler texture_\\w+'),
    'keyword',
  ],
  // Types and overrides of the program itself: begun with a capital, and not shouted in several
  // words.
  [/^[A-Z][A-Za-z\d]*(?!\p{XID_Continue})/u, 'named'],
  [/^[\p{XID_Start}_]\p{XID_Continue}*/u, 'plain'],
  [/^[()[\]{}]/, 'bracket'],
  [/^(?:[,;:]|[<>](?![<>=]))/, 'plain'],
  [/^[=+\-*/%&|^!~.<>]/, 'operator'],
]

interface Reading {
  /** Indentation, in columns, of the line in which each bracket that is still open stands. */
  readonly open: number[]
  lineIndent: number
  isInComment: boolean
}

function readToken(stream: StringStream, state: Reading): string | null {
  if (state.isInComment || stream.match('/*')) {
    state.isInComment = !stream.match(/^.*?\*\//)
    if (state.isInComment) stream.skipToEnd()
    return 'comment'
  }
  if (stream.sol()) state.lineIndent = stream.indentation()
  if (stream.eatSpace()) return null
  const kind = TOKENS.find(([pattern]) => stream.match(pattern))?.[1]
  if (kind === undefined) stream.next()
  const sign = stream.current()
  if (kind === 'bracket' && '([{'.includes(sign)) state.open.push(state.lineIndent)
  else if (kind === 'bracket') state.open.pop()
  return kind ?? 'plain'
}

export const wgsl = StreamLanguage.define<Reading>({
  name: 'wgsl',
  startState: () => ({ open: [], lineIndent: 0, isInComment: false }),
  copyState: (state) => ({ ...state, open: [...state.open] }),
  token: readToken,
  indent: ({ open }, textAfter, { unit }) => {
    const outer = open.at(-1)
    if (outer === undefined) return 0
    return /^[)\]}]/.test(textAfter) ? outer : outer + unit
  },
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    indentOnInput: /^\s*[)\]}]$/,
  },
  tokenTable: {
    comment: tags.comment,
    constant: tags.number,
    keyword: tags.keyword,
    operator: tags.operator,
    function: tags.function(tags.variableName),
    named: tags.typeName,
    bracket: tags.bracket,
    plain: tags.variableName,
  },
})
