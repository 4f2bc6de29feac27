/**
 * A learner's source as the text of a worker. It is parsed first: what parses as a module by itself
 * cannot close the function that it is wrapped in, and nothing in it can import. No text is ever
 * evaluated: the worker's script is the text.
 */
import type { Node } from 'acorn'
import { fail, succeed, type Result } from '../base/result'
import type { Problem } from './problem'
import { parseProgram } from './syntax'
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

/** The text in place of the export, and the program's name in it. */
interface Exported {
  /** Place of the export's words alone, and the end of all of it. */
  readonly start: number
  readonly wordsEnd: number
  readonly end: number
  /** Null: what follows is an expression, or a function without a name. */
  readonly name: string | null
}

/** The fields of acorn's nodes that are read here. */
interface ExportNode extends Node {
  readonly declaration: (Node & { readonly id?: Named | null }) | null
  /** `exported` is a name, or a string: `export { mend as 'default' }`. */
  readonly specifiers: readonly {
    readonly local: Named
    readonly exported: Partial<Named> & { readonly value?: unknown }
  }[]
  readonly source: unknown
}
interface Named {
  readonly name: string
}

/** Undefined: the node exports something else. */
function exportedBy(node: ExportNode): Exported | undefined {
  const { type, start, end, declaration } = node
  if (type === 'ExportDefaultDeclaration' && declaration) {
    const isDeclared = /^(Function|Class)Declaration$/.test(declaration.type)
    return { start, wordsEnd: declaration.start, end, name: (isDeclared && declaration.id?.name) || null }
  }
  if (type !== 'ExportNamedDeclaration' || declaration || node.source) return undefined
  const [only, ...others] = node.specifiers
  if (!only || others.length > 0) return undefined
  return (only.exported.name ?? only.exported.value) === 'default'
    ? { start, wordsEnd: end, end, name: only.local.name }
    : undefined
}

/** The one default export of a source, or what is wrong with it. */
function findProgram(source: string): Result<Exported, readonly Problem[]> {
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
  let found: Exported | undefined
  for (const node of nodesOf(tree.value)) {
    const exported = exportedBy(node as ExportNode) // its type says what else it has
    const refused = exported ? undefined : REFUSED[node.type]
    if (refused !== undefined) return fail(problem(refused, node.loc?.start.line, node.loc?.start.column))
    found ??= exported
  }
  return found
    ? succeed(found)
    : fail(problem('There is no `export default async function …`: the lab would have nothing to call.'))
}

interface FunctionNode extends Node {
  readonly body: Node
}
const isFunction = (node: Node | null | undefined): node is FunctionNode =>
  node !== null && node !== undefined && node.type.includes('Function')

/**
 * Finds the exported node: given by itself, or by the name that a function or a variable of the
 * source has.
 */
function exportedIn(nodes: readonly Node[]): Node | null | undefined {
  const found = nodes.find((node) => exportedBy(node as ExportNode)) as ExportNode | undefined
  const { type = '', name } = (found?.declaration ?? {}) as Partial<Named & Node>
  const called = type === 'Identifier' ? name : found && exportedBy(found)?.name
  if (called === undefined || called === null) return found?.declaration
  for (const node of nodes as readonly (Node & { readonly id?: Partial<Named>; readonly init?: Node })[])
    if (node.id?.name === called) return node.type === 'VariableDeclarator' ? node.init : node
  return undefined
}

/**
 * Lines, from 1, on which the exported function answers: its `return`s, none of a function within
 * it, or the value of an arrow without braces. Empty where the export is no function, or the source
 * no program.
 */
export function answerLines(source: string): readonly number[] {
  const tree = parseProgram(source)
  if (!tree.ok) return []
  const nodes = [...nodesOf(tree.value)]
  const own = exportedIn(nodes)
  if (!isFunction(own)) return []
  const isIn = (node: Node, { start, end }: Node) => node.start >= start && node.end <= end
  const within = nodes.filter((node) => node !== own && isFunction(node) && isIn(node, own))
  const isAnswer = (node: Node) =>
    node.type === 'ReturnStatement' && isIn(node, own) && !within.some((other) => isIn(node, other))
  const answers = own.body.type === 'BlockStatement' ? nodes.filter(isAnswer) : [own.body]
  return answers.flatMap(({ loc }) => loc?.start.line ?? [])
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
  const { start, wordsEnd, end, name } = found.value
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
