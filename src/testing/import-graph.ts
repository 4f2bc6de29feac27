/**
 * What a source file asks for, read from its syntax tree: imports and re-exports, `import type`,
 * dynamic import, `import('…').T`, `?raw` and other queries, patterns of `import.meta.glob()`, and
 * `new Worker(new URL('…', import.meta.url))`. Pure but for what reads packages: files come in as
 * text.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'

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
  // A file that is not TypeScript (.wgsl, .css, .py) need not be among the texts: it is taken as
  // written.
  return found ?? path
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const nodesIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value : [value]).filter(isNode)

export function parseSource(path: string, text: string) {
  const { program, errors } = parseSync(path, text)
  const [error] = errors
  if (error) throw new SyntaxError(`${path}: ${error.message}`)
  const walk = (parent: object, visit: (node: Node, field: string, parent: object) => void): void => {
    for (const [field, value] of Object.entries(parent)) {
      for (const node of nodesIn(value)) {
        visit(node, field, parent)
        walk(node, visit)
      }
    }
  }
  return {
    program,
    lineOf: (at: number) => text.slice(0, at).split('\n').length,
    textOf: (value: unknown) => (isNode(value) ? text.slice(value.start, value.end) : ''),
    walk: (visit: (node: Node, field: string, parent: object) => void) => {
      walk(program, visit)
    },
  }
}

/** What a literal says: a string, or a template without expressions. */
function stringOf(node: Node | undefined): string | null {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  const [quasi, ...more] = node?.type === 'TemplateLiteral' ? nodesIn(node['quasis']) : []
  const value = more.length === 0 ? quasi?.['value'] : null
  return typeof value === 'object' && value && 'cooked' in value ? String(value.cooked) : null
}

/** Erased when compiled: of types as a whole, or of nothing but types. */
const kindOf = (...lists: readonly (readonly unknown[])[]): Import['kind'] =>
  lists.some((kinds) => kinds.length > 0 && kinds.every((kind) => kind === 'type')) ? 'types' : 'value'

export function importsOf(path: string, text: string, exists: (path: string) => boolean): readonly Import[] {
  const { program, lineOf, textOf, walk } = parseSource(path, text)
  const found: (Import & { readonly at: number })[] = []
  const add = (at: number, specifier: string, kind: Import['kind']): void => {
    found.push({
      at,
      from: path,
      line: lineOf(at),
      specifier,
      to: resolveRelative(path, specifier, exists),
      // Vite's address of a worker's script: what it is imported for is to be started.
      kind: /\?worker\b/.test(specifier) ? 'worker' : kind,
    })
  }
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      const kinds = node.specifiers.map((each) => ('importKind' in each ? each.importKind : 'value'))
      add(node.start, node.source.value, kindOf([node.importKind], kinds))
    } else if (node.type === 'ExportAllDeclaration') {
      add(node.start, node.source.value, kindOf([node.exportKind]))
    } else if (node.type === 'ExportNamedDeclaration' && node.source) {
      const kinds = node.specifiers.map(({ exportKind }) => exportKind)
      add(node.start, node.source.value, kindOf([node.exportKind], kinds))
    }
  }
  walk((node) => {
    const [first] = nodesIn(node['arguments'])
    if (node.type === 'TSImportType') {
      const source = nodesIn(node['source'])[0]
      add(node.start, stringOf(source) ?? '(computed)', 'types')
    } else if (node.type === 'ImportExpression') {
      // What a computed import loads cannot be known here; as a specifier that no rule allows it
      // shows up.
      add(node.start, stringOf(nodesIn(node['source'])[0]) ?? '(computed)', 'value')
    } else if (node.type === 'CallExpression' && textOf(node['callee']) === 'import.meta.glob') {
      for (const pattern of first?.type === 'ArrayExpression' ? nodesIn(first['elements']) : nodesIn(first)) {
        const specifier = stringOf(pattern)
        if (specifier !== null) add(pattern.start, specifier, 'value')
      }
    } else if (node.type === 'NewExpression' && /^(Shared)?Worker$/.test(textOf(node['callee'])) && first) {
      const [script, base] = textOf(first['callee']) === 'URL' ? nodesIn(first['arguments']) : []
      const specifier = textOf(base) === 'import.meta.url' ? stringOf(script) : null
      if (script && specifier !== null) add(script.start, specifier, 'worker')
    }
  })
  return found.toSorted((a, b) => a.at - b.at)
}

/**
 * Fields of a node that name what it declares, of a pattern what it binds, and of both what is a
 * member's or a label's own name.
 */
const DECLARED_BY_NODE = ['id', 'param', 'params', 'parameters', 'local', 'name']
const BOUND_BY_PATTERN = ['properties', 'value', 'elements', 'left', 'argument', 'parameter']
const NAMES = new Set(['key', 'property', 'label', 'imported', 'exported', 'qualifier', 'meta'])
const isPattern = ({ type }: Node): boolean =>
  [
    'Identifier',
    'ObjectPattern',
    'ArrayPattern',
    'AssignmentPattern',
    'RestElement',
    'TSParameterProperty',
  ].includes(type)

/**
 * Names that code takes from its surroundings (comments and strings are not code; what the file
 * declares itself, anywhere, is its own) → the first line each stands on.
 */
export function globalsOf(path: string, text: string): ReadonlyMap<string, number> {
  const { lineOf, textOf, walk } = parseSource(path, text)
  const used = new Map<string, number>()
  const declared = new Set<string>()
  const declare = (pattern: Node): void => {
    if (pattern.type === 'Identifier') declared.add(String(pattern['name']))
    else for (const field of BOUND_BY_PATTERN) nodesIn(pattern[field]).forEach(declare)
  }
  walk((node, field, parent) => {
    if (node.type !== 'ExportSpecifier')
      for (const name of DECLARED_BY_NODE) nodesIn(node[name]).filter(isPattern).forEach(declare)
    if (node.type === 'TSMappedType') nodesIn(node['key']).forEach(declare)
    // What is exported from elsewhere is named here, and neither used nor declared.
    if (node.type !== 'Identifier' || 'exported' in parent) return
    const isOfGlobal = 'object' in parent && textOf(parent.object) === 'globalThis'
    const isName =
      NAMES.has(field) ||
      (field === 'right' && 'left' in parent && textOf(parent).startsWith(`${textOf(parent.left)}.`))
    const isComputed = 'computed' in parent && parent.computed === true
    const name = String(node['name'])
    if ((!isName || isComputed || isOfGlobal) && !used.has(name)) used.set(name, lineOf(node.start))
  })
  for (const name of declared) used.delete(name)
  return used
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/**
 * Package → a file that loads it: what these files and all that they import load, for tests of what
 * is installed and of what is carried.
 */
export function loadedPackages(entries: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { specifier, to, kind } of importsOf(file, readFileSync(file, 'utf8'), isFile)) {
      if (kind === 'types') continue
      if (to === null) {
        // Neither 'node:fs' nor 'virtual:lesson-index'.
        const [, name] = /^((?:@[^/]+\/)?[a-z][^/:?]*)(?:[/?]|$)/.exec(specifier) ?? []
        if (name !== undefined) found.set(name, file)
      } else if (/\.(tsx?|mjs)$/.test(to) && isFile(to)) visit(to)
    }
  }
  for (const entry of entries) visit(entry)
  return found
}

/**
 * Modules of a folder, tests and what only they use left out: what a pattern loads, no import
 * names.
 */
export const modulesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|\/(testing|programs)\/|\.d\.ts$/.test(path))
