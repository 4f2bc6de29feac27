/**
 * The mistakes that learners make with buffers, said in the lesson's words. A browser names the
 * call that it refused; what the learner took away shows in the text beside the start. Chromium's
 * messages are Dawn's (`Buffer.cpp`, `CommandBuffer`'s validation), as version 156 has them.
 */
import type { CallExpression, MemberExpression, Node } from 'acorn'
import { nodesOf } from './program'
import { parseProgram } from './syntax'
import type { Stop } from './types'

/** A call of a method in a program: `readbacks[0].mapAsync(…)`. */
interface Call {
  /** As the text has it: 'readbacks[0]'. */
  readonly object: string
  readonly method: string
  /** From 1. */
  readonly line: number
  readonly isAwaited: boolean
}

const isMethodCall = (node: Node): node is CallExpression & { readonly callee: MemberExpression } =>
  node.type === 'CallExpression' && (node as CallExpression).callee.type === 'MemberExpression'

/** None of a text that does not parse. */
function callsIn(source: string): readonly Call[] {
  const tree = parseProgram(source)
  if (!tree.ok) return []
  const nodes = [...nodesOf(tree.value)]
  const awaited = new Set(
    nodes.flatMap((node) =>
      node.type === 'AwaitExpression' ? (node as Node & { argument: Node }).argument : [],
    ),
  )
  return nodes.filter(isMethodCall).map((node) => {
    const { object, property } = node.callee
    return {
      object: source.slice(object.start, object.end),
      method: source.slice(property.start, property.end),
      line: property.loc?.start.line ?? 1,
      isAwaited: awaited.has(node),
    }
  })
}

const quoted = (name: string): string => `\`${name}\``
const labelIn = (text: string): string => {
  const [, label] = /\[Buffer "([^"]+)"\]/.exec(text) ?? []
  return label === undefined ? 'A buffer' : quoted(label)
}

/** A range was asked for of a buffer that was not mapped. */
function unmapped(at: Call, calls: readonly Call[], before: readonly Call[], isWrite: boolean) {
  const { line } = at
  const what = isWrite ? 'write' : 'read'
  const asked = calls.filter(({ method }) => method === 'mapAsync')
  const wasAwaited = before.some(({ method, isAwaited }) => method === 'mapAsync' && isAwaited)
  if (asked.length === 0 && wasAwaited)
    return {
      line,
      text: `You removed the wait that the ${what} in line ${String(line)} needs: ${quoted(at.object)} is not mapped there. Keep its mapAsync(), and await it later.`,
    }
  const own = asked.find(({ object, isAwaited }) => object === at.object && !isAwaited)
  if (own)
    return {
      line,
      text: `Line ${String(own.line)} asks for ${quoted(at.object)}, and nothing waits for the answer before the ${what} in line ${String(line)}. Keep the promise of mapAsync(), and await it first.`,
    }
  return {
    line,
    text: `The ${what} in line ${String(line)} comes before ${quoted(at.object)} is mapped: await the promise of its mapAsync() first.`,
  }
}

/**
 * What was wrong, or null where the browser's words are all there is to say.
 *
 * @param start the program that the exercise began with
 */
function mistakeIn({ text, line }: Stop, source: string, start: string) {
  const calls = callsIn(source)
  const before = callsIn(start)
  const at = (method: string) => calls.find((call) => call.method === method && call.line === line)
  const linesOf = (method: string) => [
    ...new Set(calls.flatMap((call) => (call.method === method ? [call.line] : []))),
  ]
  /** The line of a method that is called in one place. */
  const onlyLine = (method: string): number | null => {
    const [first, ...others] = linesOf(method)
    return first === undefined || others.length > 0 ? null : first
  }
  const isGone = (method: string) =>
    calls.every((call) => call.method !== method) && before.some((call) => call.method === method)

  const range = at('getMappedRange')
  if (range && text.includes('OperationError'))
    return /overlaps/.test(text)
      ? {
          line,
          text: `Line ${String(line)} asks a second time for bytes of ${quoted(range.object)} that it has already been given: keep the first, or call unmap() in between.`,
        }
      : unmapped(range, calls, before, /\.set\s*\(/.test(source.split('\n')[range.line - 1] ?? ''))
  if (/used in submit while (?:mapped|pending map)/.test(text)) {
    const isPending = text.includes('pending map')
    return {
      line: onlyLine('submit'),
      text: isGone('unmap')
        ? `You removed unmap(): ${labelIn(text)} still belonged to the host when work that uses it was submitted. Call unmap() once you have copied the values.`
        : isPending
          ? `${labelIn(text)} was on its way to the host, asked for by mapAsync(), when work that uses it was submitted. One buffer holds one read at a time: use two in turn, or wait for the first.`
          : `${labelIn(text)} still belonged to the host when work that uses it was submitted: call unmap() before submit().`,
    }
  }
  if (/outstanding map pending|is already mapped/.test(text))
    return {
      line: line ?? onlyLine('mapAsync'),
      text: `mapAsync() was called again on ${at('mapAsync') ? quoted(at('mapAsync')?.object ?? '') : 'a buffer'} while the host had it, or still waited for it. One buffer holds one read at a time: use two in turn, or call unmap() in between.`,
    }
  if (/TypeError.*detached/.test(text))
    return {
      line,
      text: `${line === null ? 'The program' : `Line ${String(line)}`} uses bytes that unmap() or destroy() has taken back. Copy them with slice() first.`,
    }
  if (/before mapping was resolved/.test(text)) {
    const call = text.includes('destroyed') ? 'destroy' : 'unmap'
    return {
      line: onlyLine(call) ?? line,
      text: `${call}() was called while mapAsync() still waited for the same buffer, so its values never came. Await mapAsync() first.`,
    }
  }
  if (/used in submit while destroyed/.test(text))
    return {
      line: onlyLine('submit'),
      text: `${labelIn(text)} was destroyed before work that uses it was submitted. Destroy it after the last submit() that needs it.`,
    }
  if (/cannot be submitted more than once|already finished/.test(text))
    return {
      line: line ?? onlyLine('submit'),
      text: 'A command buffer runs once. Make an encoder for each submit(), and encode the work again.',
    }
  if (/recording ended before/.test(text))
    return {
      line: onlyLine('finish'),
      text: 'A pass is still open when its encoder is finished: call end() on it first.',
    }
  if (/Failed to execute 'submit'/.test(text))
    return { line, text: 'submit() takes a list of command buffers: `submit([encoder.finish()])`.' }
  const [, usage] = /(?:doesn't include|do not contain) BufferUsage::(\w+)/.exec(text) ?? []
  if (usage !== undefined) {
    const name = usage.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
    return {
      line,
      text: `${labelIn(text)} was made without the usage that this needs: add GPUBufferUsage.${name} in its createBuffer().`,
    }
  }
  return null
}

/**
 * The same stop in the lesson's words, with the browser's beside them; itself where they say
 * enough.
 */
export function explainStop(stop: Stop, source: string, start: string): Stop {
  if (stop.reason !== 'threw' && stop.reason !== 'gpu-error') return stop
  const mistake = mistakeIn(stop, source, start)
  return mistake ? { ...stop, ...mistake, browserText: stop.text } : stop
}
