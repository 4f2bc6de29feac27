/**
 * A learner's source as the text of a worker. It is parsed first: what parses as a module by itself
 * cannot close the function that it is wrapped in, and nothing in it can import. No text is ever
 * evaluated: the worker's script is the text.
 */
import type { Node } from 'acorn'
import { fail, succeed, type Result } from '../base/fault'
import { parseProgram, type Problem } from './syntax'
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
export function* nodesOf(root: Node): Generator<Node> {
  const left = [root]
  for (let node = left.pop(); node; node = left.pop()) {
    yield node
    const children = Object.values(node as unknown as Record<string, unknown>)
      .flat()
      .filter(isNode)
    left.push(...children.reverse())
  }
}

/** The default export of a source. */
interface ExportNode extends Node {
  readonly declaration: Node & { readonly id?: { readonly name: string } | null }
}

/** The one default export of a source, or what is wrong with it. */
function findProgram(source: string): Result<ExportNode, readonly Problem[]> {
  const problem = (message: string, line = 1, column = 0): readonly Problem[] => [
    { line, column, message, severity: 'error' },
  ]
  if (source.length > MAX_SOURCE_CHARACTERS)
    return fail(
      problem(
        `A mend has at most ${String(MAX_SOURCE_CHARACTERS)} characters; this one has ${String(source.length)}.`,
      ),
    )
  if (/^\uFEFF?#!/.test(source)) return fail(problem('A mend is no script of a shell: it has no line `#!`.'))
  const tree = parseProgram(source)
  if (!tree.ok) return fail([tree.error])
  let found: Node | undefined
  for (const node of nodesOf(tree.value)) {
    const refused = REFUSED[node.type]
    if (refused !== undefined) return fail(problem(refused, node.loc?.start.line, node.loc?.start.column))
    if (node.type === 'ExportDefaultDeclaration') found = node
  }
  return found
    ? succeed(found as ExportNode) // by its type
    : fail(problem('There is no `export default async function …`: the lab would have nothing to call.'))
}

/** Lines, from 1, on which a program answers: its `return`s, those of its helpers among them. */
export function answerLines(source: string): readonly number[] {
  const tree = parseProgram(source)
  const nodes = tree.ok ? [...nodesOf(tree.value)] : []
  return nodes.flatMap(({ type, loc }) => (type === 'ReturnStatement' && loc ? loc.start.line : []))
}

/** Lines and columns of what follows stay. */
const blank = (text: string): string => text.replaceAll(/[^\n\r\u2028\u2029]/g, ' ')

/**
 * The text of the worker. Lines stay where they are, so that a stack's line is the editor's: all
 * that is added stands before the first character, after the last, and in place of the export.
 *
 * @param moduleUrl absolute address of the lab's own half of the worker, which is evaluated before
 * anything here
 */
export function workerText(source: string, moduleUrl: string): Result<string, readonly Problem[]> {
  const found = findProgram(source)
  if (!found.ok) return found
  const { start, end, declaration } = found.value
  const isNamed = /^(Function|Class)Declaration$/.test(declaration.type)
  const name = (isNamed && declaration.id?.name) || null
  const wordsEnd = declaration.start
  const head = `import ${JSON.stringify(moduleUrl)};${ENTRY}(async function(){"use strict";let ${ENTRY};`
  const words = blank(source.slice(start, wordsEnd))
  const put = name === null ? `${ENTRY}=${words}` : words
  // Semicolons: a line that ends without one would go on in what is put here, and what is put here
  // in the next line.
  const text = `${source.slice(0, start)};${put}${source.slice(wordsEnd, end)};${source.slice(end)}`
  return succeed(`${head}${text}\nreturn ${name ?? ENTRY}});\n`)
}

/** For a mend in another language than JavaScript: the lab's own half alone. */
export const bareWorkerText = (moduleUrl: string): string =>
  `import ${JSON.stringify(moduleUrl)};${ENTRY}(null);\n`
