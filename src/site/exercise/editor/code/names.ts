/**
 * What the names of a program are. A variable is what its declaration in the syntax tree says; where that does not tell, nothing is said.
 */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { Name, Names, Scope } from '../../../../exercises/names'

type Node = ReturnType<typeof syntaxTree>['topNode']

/** More than a program of a mend takes. */
const PARSE_MS = 1000
/** Of the whole text: a state parses for 20 ms when it is made, and may have read a part of it on a busy machine. */
const treeOf = (state: EditorState): ReturnType<typeof syntaxTree> =>
  ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state)

const SCOPES =
  /^(?:Script|Block|ForStatement|FunctionDeclaration|FunctionExpression|ArrowFunction|MethodDeclaration)$/

/** Not what every object has. */
const own = (names: Names | undefined, key: string): Name | undefined =>
  names && Object.hasOwn(names, key) ? names[key] : undefined

/** Of a list they give one like its entries, or a list of them. */
const OF_THE_SAME = new Set(['at', 'slice', 'filter', 'find', 'findLast', 'toReversed'])
/** Declarations that name one another end somewhere. */
const DEEPEST = 20

/** Of a list in parentheses. */
function valuesIn(list: Node | null): readonly Node[] {
  const found: Node[] = []
  for (let node = list?.firstChild; node; node = node.nextSibling)
    if (!/^[(),]$/.test(node.name)) found.push(node)
  return found
}

class Reading {
  readonly #state: EditorState
  readonly #scope: Scope
  constructor(state: EditorState, scope: Scope) {
    this.#state = state
    this.#scope = scope
  }

  text(node: { readonly from: number; readonly to: number } | null): string {
    return node ? this.#state.sliceDoc(node.from, node.to) : ''
  }

  /** The line of the name at `node`: a variable, a member, or what a pattern takes out of an object. */
  nameAt(node: Node, depth = 0): Name | undefined {
    if (depth > DEEPEST) return undefined
    switch (node.name) {
      case 'VariableName':
        return this.#variable(this.text(node), node, depth + 1)
      case 'VariableDefinition':
        return this.#declared(node, depth + 1)
      case 'PropertyName':
        return node.parent?.name === 'PatternProperty'
          ? this.#patterned(node, depth + 1)
          : own(this.membersOf(node.parent?.firstChild, depth + 1), this.text(node))
      case 'MemberExpression': {
        const { lastChild } = node
        return lastChild?.name === 'PropertyName'
          ? this.nameAt(lastChild, depth + 1)
          : this.#valueOf(node.firstChild, depth + 1) // an entry of a list
      }
      default:
        return undefined
    }
  }

  /** What can stand behind the dot of an expression. */
  membersOf(node: Node | null | undefined, depth = 0): Names | undefined {
    const value = this.#valueOf(node, depth)
    return value?.takes === undefined ? value?.has : undefined
  }

  /** What the object has that the pattern round `node` takes apart. */
  patternMembers(node: Node | null): Names | undefined {
    let pattern = node
    while (pattern && pattern.name !== 'ObjectPattern') pattern = pattern.parent
    return pattern ? this.#taken(pattern, 0) : undefined
  }

  /** Names that a variable at `pos` could have: the globals, and what was declared and is known. */
  variables(pos: number): Names {
    const found: Record<string, Name> = { ...this.#scope.globals }
    for (const definition of this.#inScope(pos)) {
      const name = this.#declared(definition, 0)
      if (name) found[this.text(definition)] = name
    }
    return found
  }

  /** In the order of the text: of two with one name the later is the inner. */
  #inScope(pos: number): readonly Node[] {
    const found: Node[] = []
    treeOf(this.#state)
      .cursor()
      .iterate(({ name, node }) => {
        if (name !== 'VariableDefinition') return
        let scope = node.parent
        while (scope && !SCOPES.test(scope.name)) scope = scope.parent
        if (scope && scope.from <= pos && pos <= scope.to) found.push(node)
      })
    return found
  }

  #variable(name: string, at: Node, depth: number): Name | undefined {
    const definition = this.#inScope(at.from).findLast((each) => this.text(each) === name)
    return definition ? this.#declared(definition, depth) : own(this.#scope.globals, name)
  }

  #declared(definition: Node, depth: number): Name | undefined {
    const { parent } = definition
    switch (parent?.name) {
      case 'VariableDeclaration':
        return this.#valueOf(this.#initial(definition), depth) ?? this.#assigned(this.text(definition), depth)
      case 'ForOfSpec':
        return this.#valueOf(parent.getChild('of')?.nextSibling, depth)
      case 'ArrayPattern':
        return parent.parent?.name === 'VariableDeclaration'
          ? this.#valueOf(this.#initial(parent), depth)
          : undefined
      case 'PatternProperty':
        return this.#patterned(definition, depth)
      case 'ParamList':
        return this.#isProgram(parent)
          ? own(this.#scope.given, this.text(definition))
          : this.#passed(definition, depth)
      default:
        return undefined
    }
  }

  /** The first value of a variable that began as null. */
  #assigned(name: string, depth: number): Name | undefined {
    let found: Name | undefined
    treeOf(this.#state)
      .cursor()
      .iterate(({ name: kind, node }) => {
        if (!found && kind === 'AssignmentExpression' && this.text(node.firstChild) === name)
          found = this.#valueOf(node.lastChild, depth)
      })
    return found
  }

  /** `{ name }` and `{ name: other }`. */
  #patterned(node: Node, depth: number): Name | undefined {
    const property = node.parent
    const pattern = property?.parent
    if (pattern?.name !== 'ObjectPattern') return undefined
    const key = property?.firstChild ?? null
    return own(this.#taken(pattern, depth), this.text(key))
  }

  /** What an object has that a pattern takes apart. */
  #taken(pattern: Node, depth: number): Names | undefined {
    const { parent } = pattern
    if (parent?.name === 'ParamList')
      return this.#isProgram(parent) ? this.#scope.given : this.#passed(pattern, depth + 1)?.has
    if (parent?.name === 'PatternProperty') return this.#patterned(pattern, depth + 1)?.has
    if (parent?.name === 'ForOfSpec') return this.membersOf(parent.getChild('of')?.nextSibling, depth + 1)
    return parent?.name === 'VariableDeclaration'
      ? this.membersOf(this.#initial(pattern), depth + 1)
      : undefined
  }

  /** What a function of the program is given at this place, where it is first called by its name. */
  #passed(parameter: Node, depth: number): Name | undefined {
    const made = parameter.parent?.parent
    const declared = made?.name === 'ArrowFunction' ? made.parent : made
    const name = this.text(declared?.getChild('VariableDefinition') ?? null)
    const place = valuesIn(parameter.parent).findIndex(({ from }) => from === parameter.from)
    let call: Node | undefined
    treeOf(this.#state)
      .cursor()
      .iterate(({ name: kind, node }) => {
        if (name !== '' && kind === 'CallExpression' && this.text(node.firstChild) === name) call ??= node
      })
    return call && this.#valueOf(valuesIn(call.lastChild)[place], depth)
  }

  #isProgram({ parent }: Node): boolean {
    return parent?.parent?.name === 'ExportDeclaration'
  }

  /** What stands behind the `=` of a declaration. */
  #initial(declared: Node): Node | null {
    const sign = declared.nextSibling
    return sign?.name === 'Equals' ? sign.nextSibling : null
  }

  /** Of a value: what it is, or in a list what each is. */
  #valueOf(node: Node | null | undefined, depth: number): Name | undefined {
    if (!node || depth > DEEPEST) return undefined
    switch (node.name) {
      case 'VariableName':
      case 'MemberExpression':
        return this.nameAt(node, depth + 1)
      case 'ParenthesizedExpression':
        return this.#valueOf(node.firstChild?.nextSibling, depth + 1)
      case 'AwaitExpression':
      case 'AssignmentExpression':
        return this.#valueOf(node.lastChild, depth + 1)
      case 'CallExpression':
        return this.#given(node.firstChild, node, depth + 1)
      default:
        return undefined
    }
  }

  /** What a call gives: its line is the function's. */
  #given(callee: Node | null, call: Node, depth: number): Name | undefined {
    const called = (): Name | undefined => {
      const name = callee ? this.nameAt(callee, depth) : undefined
      return name?.takes === undefined
        ? undefined
        : { says: name.says, ...(name.has ? { has: name.has } : {}) }
    }
    if (callee?.name !== 'MemberExpression') return called()
    const method = this.text(callee.lastChild)
    if (OF_THE_SAME.has(method)) return this.#valueOf(callee.firstChild, depth)
    if (method !== 'map') return called()
    const made = call.lastChild?.firstChild?.nextSibling
    return made?.name === 'ArrowFunction' ? this.#valueOf(made.lastChild, depth) : undefined
  }
}

/** A line as text and, between backticks, code. */
export function lineOf({ says }: Name): DocumentFragment {
  const line = document.createDocumentFragment()
  for (const [at, part] of says.split('`').entries()) {
    if (at % 2 === 0) line.append(part)
    else line.appendChild(document.createElement('code')).textContent = part
  }
  return line
}

const option = ([label, name]: readonly [string, Name]): Completion => ({
  label,
  ...(name.takes === undefined ? {} : { detail: name.takes }),
  info: () => lineOf(name),
})

/** Undefined: nothing is known of what stands here. */
function namesBefore(reading: Reading, node: Node, pos: number, isExplicit: boolean): Names | undefined {
  const { parent } = node
  if (/Comment|String|Template/.test(node.name)) return undefined
  if (node.name === 'PropertyName' && parent?.name === 'MemberExpression')
    return reading.membersOf(parent.firstChild)
  if (node.name === '.' && parent?.name === 'MemberExpression') return reading.membersOf(parent.firstChild)
  if (node.name === 'MemberExpression') return reading.membersOf(node.firstChild)
  if (node.name === 'ObjectPattern' || parent?.name === 'PatternProperty' || parent?.name === 'ObjectPattern')
    return reading.patternMembers(node)
  return isExplicit ? reading.variables(pos) : undefined
}

/** @returns null where there is nothing to say; while typing also where the name stands there already */
export const completed =
  (scope: Scope) =>
  (context: CompletionContext): CompletionResult | null => {
    const { state, pos, explicit } = context
    const typed = context.matchBefore(/[\p{ID_Continue}$]+/u)?.text ?? ''
    const reading = new Reading(state, scope)
    const names = namesBefore(reading, treeOf(state).resolveInner(pos, -1), pos, explicit)
    if (!names || (!explicit && Object.hasOwn(names, typed))) return null
    return {
      from: pos - typed.length,
      options: Object.entries(names).map(option),
      // Filtered at once: while a list is asked for anew, 100 ms after each letter, Enter would begin a line.
      validFor: (text) => /^[\p{ID_Continue}$]*$/u.test(text) && !Object.hasOwn(names, text),
    }
  }

/** A name, where it stands. */
export interface Explained {
  readonly from: number
  readonly to: number
  readonly label: string
  readonly name: Name
}

/** What stands at `pos`; null: nothing that has a line. */
export function explainedAt(state: EditorState, pos: number, scope: Scope): Explained | null {
  for (const side of [1, -1] as const) {
    const node = treeOf(state).resolveInner(pos, side)
    const reading = new Reading(state, scope)
    const name = /^(?:Variable|Property)(?:Name|Definition)$/.test(node.name)
      ? reading.nameAt(node)
      : undefined
    if (name) return { from: node.from, to: node.to, label: reading.text(node), name }
  }
  return null
}
