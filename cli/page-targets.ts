/**
 * Chromium over its debugging protocol, with a script in each target before the page's first line:
 * pages, frames of other origins, workers of every kind, and workers of those. What a page's policy
 * forbids of scripts does not bind the protocol.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Profile } from './script-samples'
import { CommandError } from './terminal.mjs'

type Params = Readonly<Record<string, unknown>>
interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: Params
  readonly result?: Params
  readonly error?: { readonly message: string }
}

/** What is asked of a target; its answers are the caller's to check. */
type Send = (method: string, params?: Params, session?: string, limitMs?: number) => Promise<Params>

/** A place where scripts run: a document or a worker. */
export interface Realm {
  readonly session: string
  /** Of a document, whose target may have several; null: the worker's only one. */
  readonly context: number | null
  readonly url: string
}

/** A realm that is no more. */
interface Gone extends Realm {
  readonly how: 'left' | 'crashed'
}

export type Targets = Awaited<ReturnType<typeof openTargets>>

/** An event of Chrome's trace; times in µs. */
export interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
}

const TRACED = { includedCategories: ['toplevel', 'blink.user_timing'], excludedCategories: ['*'] }
const TRACE_LIMIT_MS = 10_000
/**
 * One sample a ms costs pages too little to measure: with samples they took 1.04 (TensorFlow.js),
 * 1.06 (jax-js) and 1.01 times as long (one submit a pass), while two runs without samples differed
 * by up to 1.69 times. NVIDIA H200, Chromium 150, medians of seven rounds, 2026-11-30.
 */
const SAMPLED_US = 1000
const CALL_LIMIT_MS = 30_000
const CRASHED = 'It crashed.'
/** A realm that answers nothing for so long does not yield. */
const YIELD_LIMIT_MS = 5000
const ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }

/** A document that nothing was opened in so far. */
const isEmpty = ({ url }: Realm): boolean => url === '' || url === '://' || url.startsWith('about:')

interface Thrown {
  readonly text: string
  readonly url?: string
  readonly lineNumber?: number
  readonly exception?: { readonly description?: string; readonly value?: unknown }
}

/** 'TypeError: it is no function (https://a.test/app.js:12)' */
function sayError({ text, url = '', lineNumber = 0, exception }: Thrown): string {
  const { value, description = value === undefined ? text : `${text}: ${JSON.stringify(value)}` } =
    exception ?? {}
  const [first = ''] = description.split('\n')
  return url === '' ? first : `${first} (${url}:${String(lineNumber + 1)})`
}

/**
 * @throws CommandError where the browser does not start
 */
export async function openTargets(executablePath: string, flags: readonly string[], script: string) {
  const profile = await mkdtemp(join(tmpdir(), 'lab-record-'))
  // oxfmt-ignore
  const own = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`, '--no-first-run', '--no-default-browser-check', '--disable-extensions', '--mute-audio']
  const child = spawn(executablePath, [...own, ...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<unknown>((resolve) => child.once('error', resolve).once('close', resolve))
  const [, , , toBrowser, fromBrowser] = child.stdio as unknown as readonly [0, 0, 0, Writable, Readable]
  const waiting = new Map<
    number,
    { readonly session?: string | undefined; readonly heard: (message: Message) => void }
  >()
  const realms: Realm[] = []
  const gone: Gone[] = []
  /** Of what was opened before: its end is no news. */
  const former = new Set<Realm>()
  /** Sessions whose renderer is no more: the browser answers none of their calls. */
  const crashed = new Set<string>()
  let lastId = 0
  const pages: string[] = []
  const traced: TraceEvent[] = []
  const errors: string[] = []
  const profiles = new Map<string, Promise<Params>>()
  /** Addresses of documents, by frame. */
  const addresses = new Map<string, string>()
  let tracingEnded = (): void => undefined
  let pageCame: () => void
  const hasPage = new Promise<void>((resolve) => (pageCame = resolve))

  const send: Send = (method, params = {}, session, limitMs = CALL_LIMIT_MS) =>
    new Promise((resolve, reject) => {
      if (session !== undefined && crashed.has(session)) {
        reject(new Error(CRASHED))
        return
      }
      const id = (lastId += 1)
      const fail = (why: string) => {
        waiting.delete(id)
        clearTimeout(timer)
        reject(new Error(why))
      }
      const timer = setTimeout(
        () => fail(`The browser did not answer to ${method} for ${String(limitMs / 1000)} s.`),
        limitMs,
      )
      const answered = ({ result = {}, error }: Message) => {
        clearTimeout(timer)
        if (error) reject(new Error(error.message))
        else resolve(result)
      }
      waiting.set(id, { session, heard: answered })
      ended.then(
        () => fail('The browser ended.'),
        () => undefined,
      )
      const message = { id, method, params, ...(session !== undefined && { sessionId: session }) }
      toBrowser.write(`${JSON.stringify(message)}\0`)
    })

  async function attached(session: string, type: string, url: string): Promise<void> {
    const ask = (method: string, params: Params = {}) => send(method, params, session)
    const all: Promise<unknown>[] = [
      ask('Target.setAutoAttach', ATTACH),
      ask('Profiler.enable'),
      ask('Profiler.setSamplingInterval', { interval: SAMPLED_US }),
      ask('Profiler.start'),
    ]
    if (type === 'page' || type === 'iframe') {
      all.push(
        ask('Page.enable'),
        ask('Runtime.enable'),
        ask('Log.enable'),
        ask('Inspector.enable'), // says that it crashed
        ask('Page.addScriptToEvaluateOnNewDocument', { source: script, runImmediately: true }),
      )
    } else if (type.endsWith('worker')) {
      realms.push({ session, context: null, url })
      // A worker that waits for its script has no WebGPU so far: it is given that before the
      // script's first line.
      all.push(
        ask('Runtime.enable'),
        ask('Log.enable'),
        ask('Debugger.enable'),
        ask('Debugger.setInstrumentationBreakpoint', { instrumentation: 'beforeScriptExecution' }),
      )
    }
    all.push(ask('Runtime.runIfWaitingForDebugger'))
    // A target may go while it is asked.
    await Promise.allSettled(all)
    // Not before its answers: the script is the renderer's to keep, and a page that is opened
    // sooner may begin without it.
    if (type !== 'page' || pages.length > 0) return
    pages.push(session)
    pageCame()
  }

  function heard({ id, method, params = {}, sessionId: session = '', ...rest }: Message): void {
    if (id !== undefined) {
      waiting.get(id)?.heard(rest)
      waiting.delete(id)
      return
    }
    const forget = (isGone: (realm: Realm) => boolean, how: Gone['how'] = 'left') => {
      for (const realm of realms.filter(isGone)) {
        realms.splice(realms.indexOf(realm), 1)
        if (!isEmpty(realm) && !former.has(realm)) gone.push({ ...realm, how })
      }
    }
    switch (method ?? '') {
      case 'Target.attachedToTarget': {
        const { sessionId, targetInfo } = params as {
          readonly sessionId: string
          readonly targetInfo: { readonly type: string; readonly url: string }
        }
        attached(sessionId, targetInfo.type, targetInfo.url).catch(() => undefined)
        return
      }
      case 'Page.frameNavigated': {
        const { frame } = params as { readonly frame: { readonly id: string; readonly url: string } }
        addresses.set(frame.id, frame.url)
        return
      }
      case 'Runtime.exceptionThrown':
        errors.push(`threw ${sayError((params as { readonly exceptionDetails: Thrown }).exceptionDetails)}`)
        return
      case 'Log.entryAdded': {
        const { entry } = params as { readonly entry: { readonly source: string; readonly text: string } }
        if (entry.source === 'rendering') errors.push(`was warned: ${entry.text.split('\n')[0] ?? ''}`)
        return
      }
      case 'Tracing.dataCollected':
        traced.push(...(params['value'] as readonly TraceEvent[]))
        return
      case 'Tracing.tracingComplete':
        tracingEnded()
        return
      case 'Debugger.paused':
        // Without a debugger it goes on.
        Promise.allSettled([
          send('Runtime.evaluate', { expression: script }, session),
          send('Debugger.disable', {}, session),
        ]).catch(() => undefined)
        return
      case 'Inspector.targetCrashed':
        crashed.add(session)
        forget((realm) => realm.session === session, 'crashed')
        for (const [call, each] of waiting) {
          if (each.session !== session) continue
          waiting.delete(call)
          each.heard({ error: { message: CRASHED } })
        }
        return
      case 'Page.javascriptDialogOpening':
        // Nobody is there to answer, and the page stands until someone does.
        send('Page.handleJavaScriptDialog', { accept: true }, session).catch(() => undefined)
        return
      case 'Target.detachedFromTarget':
        forget((realm) => realm.session === params['sessionId'])
        return
      case 'Runtime.executionContextCreated': {
        const { context } = params as {
          readonly context: {
            readonly id: number
            readonly origin: string
            readonly auxData?: { readonly isDefault?: boolean; readonly frameId?: string }
          }
        }
        const isDocument = !realms.some((realm) => realm.session === session && realm.context === null)
        if (isDocument && context.auxData?.isDefault === true)
          realms.push({
            session,
            context: context.id,
            url: addresses.get(context.auxData.frameId ?? '') ?? context.origin,
          })
        return
      }
      case 'Runtime.executionContextDestroyed':
        forget((realm) => realm.session === session && realm.context === params['executionContextId'])
        return
      case 'Runtime.executionContextsCleared':
        forget((realm) => realm.session === session && realm.context !== null)
        return
      default: // of what is not asked about
    }
  }

  let text = ''
  fromBrowser.setEncoding('utf8')
  fromBrowser.on('data', (data: string) => {
    const parts = (text + data).split('\0')
    text = parts.pop() ?? ''
    for (const part of parts) heard(JSON.parse(part) as Message)
  })
  toBrowser.on('error', () => undefined) // `ended` says it

  async function valueOf(session: string, expression: string, context: number | null): Promise<unknown> {
    const { result, exceptionDetails } = (await send(
      'Runtime.evaluate',
      {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture: true,
        ...(context !== null && { contextId: context }),
      },
      session,
    )) as {
      readonly result?: { readonly value?: unknown }
      readonly exceptionDetails?: Thrown
    }
    if (exceptionDetails) throw new Error(sayError({ ...exceptionDetails, url: '' }))
    return result?.value
  }

  const close = async (): Promise<void> => {
    child.kill()
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await send('Target.setAutoAttach', ATTACH)
    await Promise.race([hasPage, ended, pause(CALL_LIMIT_MS, undefined, { ref: false })])
    if (pages.length === 0) throw new Error('It opened no page.')
  } catch (thrown) {
    await close()
    throw new CommandError(`The browser did not start: ${thrown instanceof Error ? thrown.message : ''}`)
  }
  const [pageSession = ''] = pages
  return {
    /** Opens the address in the first page. @throws CommandError where there is none to open */
    open: async (url: string): Promise<void> => {
      for (const realm of realms) former.add(realm)
      gone.length = 0
      errors.length = 0
      // A page that crashed gets a new renderer by this. In any other `release` has kept scripts
      // from running.
      if (!crashed.delete(pageSession))
        await send('Emulation.setScriptExecutionDisabled', { value: false }, pageSession).catch(
          () => undefined,
        )
      const { errorText } = await send('Page.navigate', { url }, pageSession)
      if (typeof errorText === 'string') throw new CommandError(`${url} cannot be opened: ${errorText}.`)
    },
    /** The value of an expression in the page, awaited. @throws Error where it throws */
    inPage: (expression: string) => valueOf(pageSession, expression, null),
    /** The realms that exist now, in the order that they came. */
    realms: (): readonly Realm[] => [...realms],
    /** How each realm ended that has gone since `open`. */
    gone: (): readonly Gone[] => [...gone],
    /** The value of an expression in one of them, awaited. */
    evaluate: ({ session, context }: Realm, expression: string) => valueOf(session, expression, context),
    /**
     * Errors that the page and its workers did not catch since `open`, and WebGPU's warnings:
     * 'threw TypeError: …'.
     */
    errors: (): readonly string[] => [...errors],
    /**
     * Begins to note tasks of all threads; what it returns ends that, and gives Chrome's trace
     * events. Empty where the browser does not trace.
     */
    trace: async () => {
      const isOn = await send('Tracing.start', { traceConfig: TRACED }).then(
        () => true,
        () => false,
      )
      return async (): Promise<readonly TraceEvent[]> => {
        if (!isOn) return []
        const complete = new Promise<void>((resolve) => (tracingEnded = resolve))
        const limit = pause(TRACE_LIMIT_MS, undefined, { ref: false })
        await send('Tracing.end').catch(() => undefined)
        await Promise.race([complete, limit])
        return traced
      }
    },
    /**
     * V8's samples of a realm's thread since it began, by the clock of the trace; null where it has
     * none. Ends them.
     */
    profile: async ({ session }: Realm) => {
      // Documents of one process share it.
      const asked = profiles.get(session) ?? send('Profiler.stop', {}, session).catch((): Params => ({}))
      profiles.set(session, asked)
      return ((await asked)['profile'] as Profile | undefined) ?? null
    },
    /**
     * Ends what a realm runs where that lets nothing else run, and keeps its timers and events from
     * beginning anew.
     * @returns whether it did
     */
    release: async ({ session, context }: Realm): Promise<boolean> => {
      const yields = () => send('Runtime.evaluate', { expression: '0' }, session, YIELD_LIMIT_MS)
      try {
        await yields()
        return false
      } catch {
        // A worker has no such switch.
        const isDocument = context !== null
        const off = isDocument ? send('Emulation.setScriptExecutionDisabled', { value: true }, session) : null
        await Promise.allSettled([off, send('Runtime.terminateExecution', {}, session)])
        return true
      }
    },
    close,
  }
}
