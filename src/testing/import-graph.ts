/**
 * What a source file asks for, read from its syntax tree: imports and re-exports, `import type`, dynamic import, `import('…').T`,
 * `?raw` and other queries, patterns of `import.meta.glob()`, and `new Worker(new URL('…', import.meta.url))`. Pure: files come in as text.
 */
import { posix } from 'node:path'
import ts from 'typescript'

export interface Import {
  /** The file that imports, relative to the project's root. */
  readonly from: string
  readonly line: number
  /** As written, query included. */
  readonly specifier: string
  /** A file of the project, without its query; null for a package or a virtual module. */
  readonly to: string | null
  /** types: erased when compiled. worker: the entry of another thread, not loaded into this one. */
  readonly kind: 'value' | 'types' | 'worker'
}

/** Path → text. */
export type SourceFiles = ReadonlyMap<string, string>

const EXTENSIONS = ['', '.ts', '.tsx', '.d.ts', '/index.ts', '/index.tsx']

function resolveRelative(from: string, specifier: string, exists: (path: string) => boolean): string | null {
  const bare = specifier.replace(/\?.*$/s, '')
  if (!bare.startsWith('.') && !bare.startsWith('/')) return null
  const path = bare.startsWith('/') ? bare.slice(1) : posix.join(posix.dirname(from), bare)
  const found = EXTENSIONS.map((extension) => path + extension).find(exists)
  // A file that is not TypeScript (.wgsl, .css, .py) need not be among the texts: it is taken as written.
  return found ?? path
}

const isErased = (clause: ts.ImportClause | undefined): boolean => {
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const bindings = clause.namedBindings
  return (
    clause.name === undefined &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.length > 0 &&
    bindings.elements.every((element) => element.isTypeOnly)
  )
}

const isErasedExport = (node: ts.ExportDeclaration): boolean =>
  node.isTypeOnly ||
  (node.exportClause !== undefined &&
    ts.isNamedExports(node.exportClause) &&
    node.exportClause.elements.length > 0 &&
    node.exportClause.elements.every((element) => element.isTypeOnly))

/** The '…' of `new URL('…', import.meta.url)`. */
function urlOfModule(node: ts.Expression | undefined): ts.StringLiteralLike | null {
  if (!node || !ts.isNewExpression(node) || node.expression.getText() !== 'URL') return null
  const [path, base] = node.arguments ?? []
  return path && ts.isStringLiteralLike(path) && base?.getText() === 'import.meta.url' ? path : null
}

/** The patterns of `import.meta.glob()`. */
function globbed(node: ts.CallExpression): readonly ts.StringLiteralLike[] {
  if (node.expression.getText() !== 'import.meta.glob') return []
  const [patterns] = node.arguments
  if (!patterns) return []
  return (ts.isArrayLiteralExpression(patterns) ? [...patterns.elements] : [patterns]).filter(
    ts.isStringLiteralLike,
  )
}

const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )

export function importsOf(path: string, text: string, exists: (path: string) => boolean): readonly Import[] {
  const source = parse(path, text)
  const found: Import[] = []
  const add = (literal: ts.Node, specifier: string, kind: Import['kind']): void => {
    const line = source.getLineAndCharacterOfPosition(literal.getStart()).line + 1
    // Vite's address of a worker's script: what it is imported for is to be started.
    const isWorker = /\?worker\b/.test(specifier)
    found.push({
      from: path,
      line,
      specifier,
      to: resolveRelative(path, specifier, exists),
      kind: isWorker ? 'worker' : kind,
    })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteralLike(node.moduleSpecifier)) {
      add(node, node.moduleSpecifier.text, isErased(node.importClause) ? 'types' : 'value')
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteralLike(node.moduleSpecifier)
    ) {
      add(node, node.moduleSpecifier.text, isErasedExport(node) ? 'types' : 'value')
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument
      if (ts.isStringLiteralLike(literal)) add(node, literal.text, 'types')
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      // What a computed import loads cannot be known here; as a specifier that no rule allows it shows up.
      const specifier = argument && ts.isStringLiteralLike(argument) ? argument.text : '(computed)'
      add(node, specifier, 'value')
    } else if (ts.isCallExpression(node)) {
      for (const pattern of globbed(node)) add(pattern, pattern.text, 'value')
    } else if (ts.isNewExpression(node)) {
      const name = node.expression.getText()
      const literal = name === 'Worker' || name === 'SharedWorker' ? urlOfModule(node.arguments?.[0]) : null
      if (literal) add(node, literal.text, 'worker')
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/**
 * Names that code takes from its surroundings (comments and strings are not code; what the file declares itself, anywhere, is its own)
 * → the first line each stands on.
 */
export function globalsOf(path: string, text: string): ReadonlyMap<string, number> {
  const source = parse(path, text)
  const used = new Map<string, number>()
  const declared = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const parent = node.parent as ts.Node & { readonly name?: ts.Node; readonly propertyName?: ts.Node }
      const isName = parent.name === node
      const isOfGlobal =
        ts.isPropertyAccessExpression(parent) && parent.expression.getText(source) === 'globalThis'
      const isMember =
        isName && !isOfGlobal && (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
      const isLabel = parent.propertyName === node || (isName && ts.isPropertyAssignment(parent))
      if (isName && !isMember && !isOfGlobal && !isLabel && !ts.isShorthandPropertyAssignment(parent))
        declared.add(node.text)
      else if (!isMember && !isLabel && !used.has(node.text)) {
        used.set(node.text, source.getLineAndCharacterOfPosition(node.getStart()).line + 1)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  for (const name of declared) used.delete(name)
  return used
}

/** Groups of files that import each other round in a circle (Tarjan's strongly connected components of more than one file). */
export function findCycles(imports: readonly Import[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) {
    if (to !== null) next.set(from, [...(next.get(from) ?? []), to])
  }
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): number => {
    const index = order.size
    order.set(file, index)
    stack.push(file)
    let lowest = index
    for (const target of next.get(file) ?? []) {
      if (!order.has(target)) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target) ?? index)
    }
    low.set(file, lowest)
    if (lowest === index) {
      const members = stack.splice(stack.indexOf(file))
      if (members.length > 1 || next.get(file)?.includes(file)) cycles.push(members)
    }
    return lowest
  }
  for (const file of next.keys()) if (!order.has(file)) visit(file)
  return cycles
}
