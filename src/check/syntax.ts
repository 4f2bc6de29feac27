/**
 * Python as the rules see it: a small syntax tree, of which every node knows its place in the text,
 * and ways through it.
 */
interface Place {
  readonly from: number
  readonly to: number
}

export interface Argument {
  readonly value: Expr
  /** Null: by position. */
  readonly name: string | null
  /** `*args` or `**kwargs`. */
  readonly spread: '*' | '**' | null
}

type Name = Place & { readonly kind: 'name'; readonly name: string }
export type Attribute = Place & { readonly kind: 'attribute'; readonly object: Expr; readonly name: string }
export type Call = Place & {
  readonly kind: 'call'
  readonly callee: Expr
  readonly args: readonly Argument[]
}
export type Index = Place & { readonly kind: 'index'; readonly object: Expr; readonly items: readonly Expr[] }

export type Expr =
  | Name
  | Attribute
  | Call
  | Index
  | (Place & { readonly kind: 'number' | 'bool' | 'none' | 'string'; readonly text: string })
  | (Place & { readonly kind: 'format'; readonly parts: readonly Expr[] })
  /** `and`, `or`, comparisons and arithmetic. */
  | (Place & { readonly kind: 'binary'; readonly op: string; readonly left: Expr; readonly right: Expr })
  | (Place & { readonly kind: 'unary'; readonly op: string; readonly value: Expr })
  | (Place & { readonly kind: 'choice'; readonly test: Expr; readonly yes: Expr; readonly no: Expr })
  | (Place & { readonly kind: 'tuple' | 'list' | 'set'; readonly items: readonly Expr[] })
  | (Place & { readonly kind: 'dict'; readonly entries: readonly { key: Expr | null; value: Expr }[] })
  | (Place & { readonly kind: 'comprehension'; readonly element: Expr; readonly loops: readonly Clause[] })
  | (Place & { readonly kind: 'lambda'; readonly params: readonly Param[]; readonly body: Expr })
  | (Place & { readonly kind: 'slice' | 'other'; readonly parts: readonly Expr[] })

export interface Clause {
  readonly target: Expr
  readonly iterable: Expr
  readonly tests: readonly Expr[]
}

export interface Param {
  readonly name: string
  readonly spread: '*' | '**' | null
  readonly type: Expr | null
  readonly initial: Expr | null
}

export type For = Place & {
  readonly kind: 'for'
  readonly target: Expr
  readonly iterable: Expr
  readonly body: readonly Stmt[]
  readonly otherwise: readonly Stmt[]
  /** Where its header ends: at the colon. */
  readonly headTo: number
}
export type While = Place & { readonly kind: 'while'; readonly test: Expr; readonly body: readonly Stmt[] }
export type Def = Place & {
  readonly kind: 'def'
  readonly name: string
  readonly params: readonly Param[]
  readonly decorators: readonly Expr[]
  readonly body: readonly Stmt[]
}
export type Class = Place & {
  readonly kind: 'class'
  readonly name: string
  readonly bases: readonly Expr[]
  readonly body: readonly Stmt[]
}
type If = Place & {
  readonly kind: 'if'
  readonly branches: readonly { readonly test: Expr | null; readonly body: readonly Stmt[] }[]
}

export type Stmt =
  | For
  | While
  | Def
  | Class
  | If
  | (Place & { readonly kind: 'assign'; readonly targets: readonly Expr[]; readonly value: Expr | null })
  | (Place & { readonly kind: 'update'; readonly target: Expr; readonly op: string; readonly value: Expr })
  | (Place & { readonly kind: 'expression'; readonly value: Expr })
  | (Place & {
      readonly kind: 'with'
      readonly items: readonly { readonly value: Expr; readonly target: Expr | null }[]
      readonly body: readonly Stmt[]
    })
  | (Place & {
      readonly kind: 'try'
      readonly body: readonly Stmt[]
      /** Bodies of except, else and finally. */
      readonly rest: readonly { readonly keyword: string; readonly body: readonly Stmt[] }[]
    })
  | (Place & { readonly kind: 'return'; readonly value: Expr | null })
  | (Place & { readonly kind: 'assert'; readonly test: Expr })
  | (Place & {
      readonly kind: 'import'
      readonly names: readonly { readonly name: string; readonly path: string }[]
    })
  | (Place & { readonly kind: 'stop'; readonly how: 'break' | 'continue' | 'raise' })
  | (Place & { readonly kind: 'other'; readonly parts: readonly Expr[] })

export interface Module {
  readonly text: string
  readonly body: readonly Stmt[]
  /** Where the parser met what it could not read. */
  readonly errors: readonly number[]
}

/** `a.b.c` of names alone; null of anything else. */
export function dottedName(expr: Expr): string | null {
  if (expr.kind === 'name') return expr.name
  if (expr.kind !== 'attribute') return null
  const object = dottedName(expr.object)
  return object === null ? null : `${object}.${expr.name}`
}

interface Contents {
  readonly own: readonly Expr[]
  readonly bodies: readonly (readonly Stmt[])[]
}

/** A function and a class are gone through where they are called. */
const NOTHING: Contents = { own: [], bodies: [] }

/**
 * Expressions of this node itself, without those of a parameter's default, and the statements in
 * it.
 */
export function contentsOf(node: Expr | Stmt): Contents {
  return node.kind === 'def' || node.kind === 'class' ? NOTHING : contentsIn(node)
}

/**
 * The same for what is no node: an argument, a branch. The parser writes fields in the text's
 * order.
 */
function contentsIn(part: object): Contents {
  const own: Expr[] = []
  const bodies: (readonly Stmt[])[] = []
  for (const [name, field] of Object.entries(part) as [string, unknown][]) {
    if (typeof field !== 'object' || field === null || name === 'params') continue
    if (Array.isArray(field) && (name === 'body' || name === 'otherwise')) bodies.push(field as Stmt[])
    else
      for (const each of [field].flat() as readonly object[]) {
        const inner = 'kind' in each ? { own: [each as Expr], bodies: [] } : contentsIn(each)
        own.push(...inner.own)
        bodies.push(...inner.bodies)
      }
  }
  return { own, bodies }
}

export function* expressionsIn(expr: Expr): Generator<Expr> {
  yield expr
  for (const part of contentsOf(expr).own) yield* expressionsIn(part)
}

/** Statements below these too, without those of functions and classes that are defined there. */
export function* statementsIn(stmts: readonly Stmt[]): Generator<Stmt> {
  for (const stmt of stmts) {
    yield stmt
    for (const body of contentsOf(stmt).bodies) yield* statementsIn(body)
  }
}

export function* allExpressions(stmts: readonly Stmt[]): Generator<Expr> {
  for (const stmt of statementsIn(stmts)) for (const expr of contentsOf(stmt).own) yield* expressionsIn(expr)
}

export interface Defined {
  readonly def: Def
  /** The class that has it as a method. */
  readonly cls: Class | null
  /** It is defined inside another function. */
  readonly isNested: boolean
}

/** Every function, in the order of the text. */
export function* functionsIn(
  body: readonly Stmt[],
  cls: Class | null = null,
  isNested = false,
): Generator<Defined> {
  for (const stmt of statementsIn(body))
    if (stmt.kind === 'class') yield* functionsIn(stmt.body, stmt, isNested)
    else if (stmt.kind === 'def') {
      yield { def: stmt, cls, isNested }
      yield* functionsIn(stmt.body, null, true)
    }
}
