/**
 * Reads Python with Lezer's grammar, the one that colours the editor, into the tree of syntax.ts.
 * It never fails: what it can't read is 'other'.
 */
import type { SyntaxNode } from '@lezer/common'
import { parser } from '@lezer/python'
import type { Argument, Clause, Expr, Module, Param, Stmt } from './syntax'

interface Entry {
  readonly key: Expr | null
  readonly value: Expr
}

const SIGNS = new Set([',', '(', ')', '[', ']', '{', '}', '.', ';', 'Comment'])

/** Lezer's grammar reads no digits after a point as an error: `100.` */
const BARE_POINT = /(?<![\w.])(\d+)\.(?![\w.])/g

export function parsePython(text: string): Module {
  const tree = parser.parse(text.replace(BARE_POINT, '$1 '))
  const errors: number[] = []
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) errors.push(from)
    },
  })
  return { text, body: new Reader(text).statements(tree.topNode), errors }
}

function childrenOf(node: SyntaxNode | undefined): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node?.firstChild; child; child = child.nextSibling) children.push(child)
  return children
}

const without = (nodes: readonly SyntaxNode[], ...kinds: readonly string[]): SyntaxNode[] =>
  nodes.filter(({ name }) => !kinds.includes(name))
const named = (nodes: readonly SyntaxNode[], kind: string): SyntaxNode | undefined =>
  nodes.find(({ name }) => name === kind)
const placeOf = ({ from, to }: SyntaxNode) => ({ from, to })
const isSign = (node: SyntaxNode): boolean => SIGNS.has(node.name)

class Reader {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }

  #textOf = (node: SyntaxNode | undefined): string => (node ? this.#text.slice(node.from, node.to) : '')

  statements(node: SyntaxNode | undefined): Stmt[] {
    return childrenOf(node)
      .filter((child) => !isSign(child) && child.name !== ':')
      .flatMap((child) => this.#statement(child))
  }

  #statement(node: SyntaxNode): Stmt | readonly Stmt[] {
    const place = placeOf(node)
    const children = without(childrenOf(node), 'Comment')
    const bodies = children.filter(({ name }) => name === 'Body')
    switch (node.name) {
      case 'StatementGroup':
        return this.statements(node)
      case 'ExpressionStatement':
        return { ...place, kind: 'expression', value: this.#all(children) }
      case 'AssignStatement': {
        const parts = split(children, 'AssignOp').map((part) => without(part, 'TypeDef'))
        const last = parts.length > 1 ? parts.pop() : undefined
        return {
          ...place,
          kind: 'assign',
          targets: parts.map((part) => this.#all(part)),
          value: last ? this.#all(last) : null,
        }
      }
      case 'UpdateStatement': {
        const [target = [], value = []] = split(children, 'UpdateOp')
        return {
          ...place,
          kind: 'update',
          op: this.#textOf(named(children, 'UpdateOp')),
          target: this.#all(target),
          value: this.#all(value),
        }
      }
      case 'ForStatement': {
        const [loop, otherwise] = this.#clauses(children)
        const [target = [], ...iterable] = split(loop?.head ?? [], 'in')
        return {
          ...place,
          kind: 'for',
          target: this.#all(target),
          iterable: this.#all(iterable.flat()),
          body: loop?.body ?? [],
          otherwise: otherwise?.body ?? [],
          headTo: bodies[0]?.from ?? node.to,
        }
      }
      case 'WhileStatement': {
        const [loop] = this.#clauses(children)
        return { ...place, kind: 'while', test: this.#all(loop?.head ?? []), body: loop?.body ?? [] }
      }
      case 'IfStatement': {
        const branches = this.#clauses(children).map(({ head, body }) => ({
          test: head.length > 0 ? this.#all(head) : null,
          body,
        }))
        return { ...place, kind: 'if', branches }
      }
      case 'WithStatement': {
        const [block] = this.#clauses(children)
        let parts = block?.head ?? []
        // `with (a, b as c):` reads as a parenthesis or a tuple.
        if (parts[0]?.name === '(') parts = parts.slice(1, -1)
        const items = split(parts, ',').flatMap((part) => {
          const [value = [], target] = split(part, 'as')
          return value.length > 0
            ? [{ value: this.#all(value), target: target ? this.#all(target) : null }]
            : []
        })
        return { ...place, kind: 'with', items, body: block?.body ?? [] }
      }
      case 'TryStatement': {
        const [block, ...others] = this.#clauses(children)
        const rest = others.map(({ keyword, body }) => ({ keyword, body }))
        return { ...place, kind: 'try', body: block?.body ?? [], rest }
      }
      case 'DecoratedStatement': {
        const [inner] = children.flatMap((child) =>
          child.name === 'Decorator' ? [] : this.#statement(child),
        )
        const decorators = children
          .filter(({ name }) => name === 'Decorator')
          .map((each) => this.#decorator(childrenOf(each).slice(1)))
        return inner?.kind === 'def' ? { ...inner, decorators } : (inner ?? [])
      }
      case 'FunctionDefinition': {
        return {
          ...place,
          kind: 'def',
          name: this.#textOf(named(children, 'VariableName')),
          params: this.#params(named(children, 'ParamList')),
          decorators: [],
          body: this.statements(bodies[0]),
        }
      }
      case 'ClassDefinition': {
        return {
          ...place,
          kind: 'class',
          name: this.#textOf(named(children, 'VariableName')),
          bases: this.#args(named(children, 'ArgList')).flatMap(({ name, value }) =>
            name === null ? [value] : [],
          ),
          body: this.statements(bodies[0]),
        }
      }
      case 'ReturnStatement':
        return { ...place, kind: 'return', value: children.length > 1 ? this.#all(children.slice(1)) : null }
      case 'AssertStatement': {
        const [test] = this.#each(children.slice(1))
        return { ...place, kind: 'assert', test: test ?? this.#other(node) }
      }
      case 'ImportStatement':
        return { ...place, kind: 'import', names: this.#imported(children) }
      case 'BreakStatement':
        return { ...place, kind: 'stop', how: 'break' }
      case 'ContinueStatement':
        return { ...place, kind: 'stop', how: 'continue' }
      case 'RaiseStatement':
        return { ...place, kind: 'stop', how: 'raise' }
      case 'MatchStatement': {
        const branches = childrenOf(named(children, 'MatchBody')).flatMap((clause) => {
          const body = clause.getChild('Body')
          return body ? [{ test: null, body: this.statements(body) }] : []
        })
        return { ...place, kind: 'if', branches }
      }
      case 'PassStatement':
      case 'ScopeStatement':
        return []
      default:
        return { ...place, kind: 'other', parts: this.#each(children) }
    }
  }

  /** Each keyword with a body, and what is between the two. */
  #clauses(children: readonly SyntaxNode[]) {
    return children.flatMap((child, at) => {
      if (child.name !== 'Body') return []
      const from = children.findLastIndex(({ name }, before) => before < at && name === 'Body') + 1
      const [keyword, ...head] = without(children.slice(from, at), 'async')
      return [{ keyword: keyword?.name ?? '', head, body: this.statements(child) }]
    })
  }

  /** Its names and arguments follow each other, without the nodes of an expression. */
  #decorator(parts: readonly SyntaxNode[]): Expr {
    let expr: Expr | null = null
    for (const part of parts) {
      const to = part.to
      if (part.name === 'VariableName' || part.name === 'PropertyName') {
        const name = this.#textOf(part)
        expr = expr
          ? { from: expr.from, to, kind: 'attribute', object: expr, name }
          : { ...placeOf(part), kind: 'name', name }
      } else if (part.name === 'ArgList' && expr)
        expr = { from: expr.from, to, kind: 'call', callee: expr, args: this.#args(part) }
      else if (!isSign(part) && !expr) expr = this.expression(part)
    }
    return expr ?? { from: 0, to: 0, kind: 'other', parts: [] }
  }

  #params(node: SyntaxNode | undefined): Param[] {
    return split(without(childrenOf(node), '(', ')', 'Comment'), ',').flatMap((part) => {
      const name = named(part, 'VariableName')
      if (!name) return []
      const spread = part[0]?.name === '*' || part[0]?.name === '**' ? part[0].name : null
      const type = named(part, 'TypeDef')
      const at = part.findIndex((each) => each.name === 'AssignOp')
      return [
        {
          name: this.#textOf(name),
          spread,
          type: type ? this.#all(without(childrenOf(type), ':')) : null,
          initial: at >= 0 ? this.#all(part.slice(at + 1)) : null,
        },
      ]
    })
  }

  #imported(children: readonly SyntaxNode[]) {
    const at = children.findIndex(({ name }) => name === 'import')
    const isFrom = children[0]?.name === 'from'
    const module = children
      .slice(1, at)
      .map((each) => this.#textOf(each))
      .join('')
    const rest = without(children.slice(at + 1), '(', ')')
    return split(rest, ',').flatMap((part) => {
      const [path = [], alias] = split(part, 'as')
      const text = path.map((each) => this.#textOf(each)).join('')
      if (text === '') return []
      const given = alias?.[0] && this.#textOf(alias[0])
      if (isFrom) return [{ name: given ?? text, path: `${module}.${text}` }]
      // `import a.b` binds `a`.
      return [given ? { name: given, path: text } : { name: firstOf(text), path: firstOf(text) }]
    })
  }

  /** One expression, or a tuple without its parentheses. */
  #all(nodes: readonly SyntaxNode[]): Expr {
    const items = this.#each(nodes)
    const [only] = items
    const [first, last] = [nodes[0], nodes.at(-1)]
    const place = { from: first?.from ?? 0, to: last?.to ?? 0 }
    if (only && items.length === 1 && !nodes.some(({ name }) => name === ',')) return only
    return { ...place, kind: 'tuple', items }
  }

  #each = (nodes: readonly SyntaxNode[]): Expr[] =>
    nodes
      .filter((node) => !isSign(node) && node.name !== '*' && node.name !== '**' && !node.type.isError)
      .map((node) => this.expression(node))

  #args(node: SyntaxNode | undefined): Argument[] {
    const inner = childrenOf(node).slice(1)
    if (node && inner.some(({ name }) => name === 'for')) {
      const value = this.#comprehension(node, inner.slice(0, -1))
      return [{ value, name: null, spread: null }]
    }
    return split(without(inner, ')', 'Comment'), ',').flatMap((part): Argument[] => {
      const [first, second] = part
      if (!first) return []
      if (first.name === '*' || first.name === '**')
        return [{ value: this.#all(part.slice(1)), name: null, spread: first.name }]
      if (second?.name === 'AssignOp')
        return [{ value: this.#all(part.slice(2)), name: this.#textOf(first), spread: null }]
      return [{ value: this.#all(part), name: null, spread: null }]
    })
  }

  expression(node: SyntaxNode): Expr {
    const place = placeOf(node)
    const children = without(childrenOf(node), 'Comment')
    const text = this.#textOf(node)
    switch (node.name) {
      case 'VariableName':
      case 'PropertyName':
        return { ...place, kind: 'name', name: text }
      case 'Number':
        return { ...place, kind: 'number', text }
      case 'Boolean':
        return { ...place, kind: 'bool', text }
      case 'None':
        return { ...place, kind: 'none', text }
      case 'String':
        return { ...place, kind: 'string', text: unquoted(text) }
      case 'ContinuedString':
      case 'FormatString':
        return { ...place, kind: 'format', parts: this.#replacements(node) }
      case 'MemberExpression':
        return this.#member(node, children)
      case 'CallExpression': {
        const [callee] = children
        if (!callee) break
        return {
          ...place,
          kind: 'call',
          callee: this.expression(callee),
          args: this.#args(named(children, 'ArgList')),
        }
      }
      case 'ParenthesizedExpression':
        return this.#all(children.slice(1, -1))
      case 'BinaryExpression': {
        const [left] = children
        const right = children.at(-1)
        if (!left || !right || left === right) break
        const op = children.slice(1, -1).map((each) => this.#textOf(each))
        return {
          ...place,
          kind: 'binary',
          op: op.join(' '),
          left: this.expression(left),
          right: this.expression(right),
        }
      }
      case 'UnaryExpression': {
        const [op, value] = children
        if (!op || !value) break
        return { ...place, kind: 'unary', op: this.#textOf(op), value: this.expression(value) }
      }
      case 'ConditionalExpression': {
        const [then, , test, , otherwise] = children
        if (!then || !test || !otherwise) break
        return {
          ...place,
          kind: 'choice',
          test: this.expression(test),
          yes: this.expression(then),
          no: this.expression(otherwise),
        }
      }
      case 'TupleExpression':
        return { ...place, kind: 'tuple', items: this.#each(children) }
      case 'ArrayExpression':
        return { ...place, kind: 'list', items: this.#each(children) }
      case 'SetExpression':
        return { ...place, kind: 'set', items: this.#each(children) }
      case 'DictionaryExpression':
        return { ...place, kind: 'dict', entries: this.#entries(children) }
      case 'ArrayComprehensionExpression':
      case 'SetComprehensionExpression':
      case 'DictionaryComprehensionExpression':
      case 'ComprehensionExpression':
        return this.#comprehension(node, children.slice(1, -1))
      case 'LambdaExpression': {
        const body = children.at(-1)
        if (!body) break
        return {
          ...place,
          kind: 'lambda',
          params: this.#params(named(children, 'ParamList')),
          body: this.expression(body),
        }
      }
      case 'AwaitExpression':
        return this.#all(children.slice(1))
      default:
    }
    return this.#other(node)
  }

  #other = (node: SyntaxNode): Expr => ({
    ...placeOf(node),
    kind: 'other',
    parts: this.#each(childrenOf(node)),
  })

  #member(node: SyntaxNode, children: readonly SyntaxNode[]): Expr {
    const [object, sign, ...rest] = children
    if (!object) return this.#other(node)
    const value = this.expression(object)
    if (sign?.name === '.') {
      const [name] = rest
      return { ...placeOf(node), kind: 'attribute', object: value, name: this.#textOf(name) }
    }
    const inner = rest.slice(0, -1)
    const items = split(inner, ',').map((part): Expr => {
      const [first] = part
      if (!part.some(({ name }) => name === ':')) return this.#all(part)
      const parts = this.#each(without(part, ':'))
      return { from: first?.from ?? node.from, to: part.at(-1)?.to ?? node.to, kind: 'slice', parts }
    })
    return { ...placeOf(node), kind: 'index', object: value, items }
  }

  #entries(children: readonly SyntaxNode[]) {
    return split(children.slice(1, -1), ',').flatMap((part): Entry[] => {
      const [first] = part
      if (!first) return []
      if (first.name === '**') return [{ key: null, value: this.#all(part.slice(1)) }]
      const [key = [], value = []] = split(part, ':')
      return [{ key: this.#all(key), value: this.#all(value) }]
    })
  }

  #comprehension(node: SyntaxNode, inner: readonly SyntaxNode[]): Expr {
    const at = inner.findIndex(({ name }) => name === 'for')
    const head = without(inner.slice(0, at), ':')
    const loops: Clause[] = split(without(inner.slice(at), 'async'), 'for')
      .filter((part) => part.length > 0)
      .map((part) => {
        const [target = [], rest = []] = split(part, 'in')
        const [iterable = [], ...tests] = split(rest, 'if')
        return {
          target: this.#all(target),
          iterable: this.#all(iterable),
          tests: tests.map((each) => this.#all(each)),
        }
      })
    return { ...placeOf(node), kind: 'comprehension', loops, element: this.#all(head) }
  }

  #replacements(node: SyntaxNode): Expr[] {
    return childrenOf(node).flatMap((child) => {
      if (child.name === 'FormatString') return this.#replacements(child)
      if (child.name !== 'FormatReplacement') return []
      const inner = without(childrenOf(child), '{', '}', 'FormatSpec', 'FormatConversion', 'FormatSelfDoc')
      return inner.length > 0 ? [this.#all(inner)] : []
    })
  }
}

const firstOf = (path: string): string => path.split('.')[0] ?? path

const unquoted = (text: string): string =>
  text.replace(/^[rRbBuU]*("""|'''|"|')/, '').replace(/("""|'''|"|')$/, '')

function split(nodes: readonly SyntaxNode[], at: string): SyntaxNode[][] {
  const parts: SyntaxNode[][] = [[]]
  for (const node of nodes) {
    if (node.name === at) parts.push([])
    else parts.at(-1)?.push(node)
  }
  return parts
}
