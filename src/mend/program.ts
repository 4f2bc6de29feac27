/**
 * A learner's source as the text of a worker. It is parsed first: what parses as a module by itself cannot close the function that it is
 * wrapped in, and nothing in it can import. No text is ever evaluated: the worker's script is the text.
 */
import { parse, type Node } from 'acorn'
import { fail, succeed, type Result } from '../base/result'
import type { Problem } from './problem'
import { ENTRY } from './types'

/** A program is a page or two. */
const MAX_SOURCE_CHARACTERS = 64 * 1024

const REFUSED: Readonly<Record<string, string>> = {
  ImportDeclaration: 'A mend stands alone: it can import nothing.',
  ImportExpression: 'A mend stands alone: it can import nothing.',
  ExportNamedDeclaration: 'A mend exports one function, by `export default`.',
  ExportAllDeclaration: 'A mend exports one function, by `export default`.',
  MetaProperty: '`import.meta` and `new.target` are not for mends.',
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { readonly type?: unknown }).type === 'string'

/** In the order of the text. Without recursion: `a.b.b.b…` nests as deeply as it is long. */
function* nodesOf(root: Node): Generator<Node> {
  const left = [root]
  for (let node = left.pop(); node; node = left.pop()) {
    yield node
    const children = Object.values(node as unknown as Record<string, unknown>)
      .flat()
      .filter(isNode)
    left.push(...children.reverse())
  }
}

const EXPORT = 'export default'

/** The one `export default` of a source, and what is wrong with it. */
function findProgram(
  source: string,
): Result<{ readonly exportAt: number; readonly exportEnd: number }, readonly Problem[]> {
  const problem = (message: string, line = 1, column = 0): readonly Problem[] => [
    { line, column, message, severity: 'error' },
  ]
  if (source.length > MAX_SOURCE_CHARACTERS)
    return fail(
      problem(
        `A mend has at most ${String(MAX_SOURCE_CHARACTERS)} characters; this one has ${String(source.length)}.`,
      ),
    )
  let tree: Node
  try {
    tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true })
  } catch (thrown) {
    const { message, loc } = thrown as SyntaxError & {
      readonly loc?: { readonly line: number; readonly column: number }
    }
    return fail(problem(message.replace(/ \(\d+:\d+\)$/, '') + '.', loc?.line, loc?.column))
  }
  const exports: Node[] = []
  for (const node of nodesOf(tree)) {
    const refused = REFUSED[node.type]
    if (refused !== undefined) return fail(problem(refused, node.loc?.start.line, node.loc?.start.column))
    if (node.type === 'ExportDefaultDeclaration') exports.push(node)
  }
  const [only] = exports
  if (!only)
    return fail(problem('There is no `export default async function …`: the lab would have nothing to call.'))
  // Another word order is not JavaScript's, but another spacing is.
  if (source.slice(only.start, only.start + EXPORT.length) !== EXPORT)
    return fail(
      problem('Write `export default` with one space between.', only.loc?.start.line, only.loc?.start.column),
    )
  return succeed({ exportAt: only.start, exportEnd: only.end })
}

/**
 * The text of the worker. Lines stay where they are, so that a stack's line is the editor's: all that is added stands before the first
 * character, after the last, and in place of `export default`.
 *
 * @param moduleUrl absolute address of the lab's own half of the worker, which is evaluated before anything here
 */
export function workerText(source: string, moduleUrl: string): Result<string, readonly Problem[]> {
  const found = findProgram(source)
  if (!found.ok) return found
  const { exportAt, exportEnd } = found.value
  const before = source.slice(0, exportAt)
  const exported = source.slice(exportAt + EXPORT.length, exportEnd)
  const after = source.slice(exportEnd)
  const head = `import ${JSON.stringify(moduleUrl)};${ENTRY}(async function(){"use strict";let ${ENTRY};`
  return succeed(`${head}${before};${ENTRY}=${exported.replace(/;\s*$/, '')};${after}\nreturn ${ENTRY}});\n`)
}

/** For a mend in another language than JavaScript: the lab's own half alone. */
export const bareWorkerText = (moduleUrl: string): string =>
  `import ${JSON.stringify(moduleUrl)};${ENTRY}(null);\n`
