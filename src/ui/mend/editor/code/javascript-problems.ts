/** Where JavaScript does not parse, as a module, in the words of acorn made into sentences. Loaded after the editor: acorn is as large. */
import { parse } from 'acorn'
import type { Problem } from '../../../../mend/problem'

interface SyntaxProblem {
  readonly message: string
  readonly pos: number
  readonly loc: { readonly line: number; readonly column: number }
}
const isSyntaxProblem = (thrown: unknown): thrown is SyntaxProblem =>
  thrown instanceof SyntaxError && 'loc' in thrown && 'pos' in thrown

function sentence(text: string, { message, pos }: SyntaxProblem): string {
  const plain = message.replace(/ \(\d+:\d+\)$/, '')
  if (plain !== 'Unexpected token') return plain.endsWith('.') ? plain : `${plain}.`
  const found = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|\d+|\S)/u.exec(text.slice(pos))?.[0]
  return found === undefined
    ? 'The program ends here, and a bracket or brace is still open.'
    : `‘${found}’ is not expected here.`
}

/** Only the first: what follows from it would be guesses. */
export function javascriptProblems(text: string): readonly Problem[] {
  try {
    parse(text, { ecmaVersion: 'latest', sourceType: 'module' })
    return []
  } catch (thrown) {
    if (!isSyntaxProblem(thrown)) throw thrown
    const { line, column } = thrown.loc
    return [{ line, column, message: sentence(text, thrown), severity: 'error' }]
  }
}
