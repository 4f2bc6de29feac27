/**
 * WGSL for the editor: tokens for colours, and brackets for indentation. Not a parser; what is wrong with a shader is reported by WebGPU.
 * Words are those of the WGSL specification, https://www.w3.org/TR/WGSL/ (keywords, predeclared types and enumerants).
 */
import { StreamLanguage, type StringStream } from '@codemirror/language'
import { tags } from '@lezer/highlight'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const KEYWORDS = words(`
  alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop
  override requires return struct switch true var while`)
const CONSTANTS = words('true false')
/** Words that are types where they stand alone, and constructors before a parenthesis. */
const TYPES =
  /^(?:bool|[fiu]32|f16|vec[234][fhiu]?|mat[234]x[234][fh]?|array|atomic|ptr|sampler(?:_comparison)?|texture_\w+)$/
/** Address spaces and access modes, only between the angle brackets of `var<…>`, `ptr<…>` and textures. */
const ENUMERANTS = words('function private workgroup uniform storage read write read_write')
/** Texel formats, before the access mode of a storage texture. */
const TEXELS = /^(?:r|rg|rgba|bgra)\d+(?:[us]norm|[us]int|float)$/

interface Reading {
  /** Indentation, in columns, of the line in which each bracket that is still open stands. */
  readonly open: number[]
  lineIndent: number
  isInComment: number
  /** `{`, `;` or another word before: what an attribute or a template list belongs to. */
  before: string
}

/** Comments nest in WGSL. */
function readComment(stream: StringStream, state: Reading): void {
  while (!stream.eol()) {
    if (stream.match('/*')) state.isInComment += 1
    else if (stream.match('*/')) state.isInComment -= 1
    else stream.next()
    if (state.isInComment === 0) return
  }
}

function readWord(stream: StringStream, state: Reading, word: string): string {
  if (state.before === '@') return 'plain'
  if (state.before === '<' && ENUMERANTS.has(word)) return 'keyword'
  if (CONSTANTS.has(word)) return 'constant'
  if (KEYWORDS.has(word)) return 'keyword'
  if (stream.match(/^\s*\(/, false)) return 'function'
  if (TYPES.test(word)) return 'predeclared'
  // Types and overrides of the program itself: begun with a capital, and not shouted in several words.
  if (/^[A-Z][A-Za-z\d]*$/.test(word)) return 'named'
  return 'plain'
}

const NUMBER =
  /^(?:0[xX][\da-fA-F]*\.?[\da-fA-F]*(?:[pP][+-]?\d+)?[iufh]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?)/

function readToken(stream: StringStream, state: Reading): string | null {
  if (stream.sol() && state.isInComment === 0) state.lineIndent = stream.indentation()
  if (state.isInComment > 0) {
    readComment(stream, state)
    return 'comment'
  }
  if (stream.eatSpace()) return null
  if (stream.match('//')) {
    stream.skipToEnd()
    return 'comment'
  }
  if (stream.match('/*')) {
    state.isInComment = 1
    readComment(stream, state)
    return 'comment'
  }
  if (/[\d.]/.test(stream.peek() ?? '') && stream.match(/^\.?\d/, false)) {
    stream.match(NUMBER)
    state.before = '0'
    return 'constant'
  }
  if (stream.match(/^[\p{XID_Start}_]\p{XID_Continue}*/u)) {
    const word = stream.current()
    const kind = readWord(stream, state, word)
    // In `var<storage, read_write>` the second word stands behind the same bracket.
    state.before = word
    return kind
  }
  const sign = stream.next() ?? ''
  if ('([{'.includes(sign)) state.open.push(state.lineIndent)
  if (')]}'.includes(sign)) state.open.pop()
  const isWithinTemplate =
    sign === '<' || (sign === ',' && (ENUMERANTS.has(state.before) || TEXELS.test(state.before)))
  state.before = isWithinTemplate ? '<' : sign
  if ('()[]{}'.includes(sign)) return 'bracket'
  if (',;:'.includes(sign)) return 'plain'
  if ('<>'.includes(sign) && !stream.match(/^[<>=]+/)) return 'plain'
  stream.match(/^[=+\-*/%&|^!>]+/)
  return 'operator'
}

export const wgsl = StreamLanguage.define<Reading>({
  name: 'wgsl',
  startState: () => ({ open: [], lineIndent: 0, isInComment: 0, before: '' }),
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
    predeclared: tags.keyword,
    function: tags.function(tags.variableName),
    named: tags.typeName,
    bracket: tags.bracket,
    plain: tags.variableName,
  },
})
