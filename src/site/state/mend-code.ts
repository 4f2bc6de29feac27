/**
 * The programs that learners write in mends: kept in this browser at every keystroke, one record a lesson. Nothing here runs them.
 * What a learner wrote is never given up without a way back: a reset, a start that a new build has changed, a second tab that writes
 * the same record, a text that is too large and storage that is off each leave the text on the page, and say what became of it.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  fitsRecord,
  hashText,
  readCodeRecord,
  RECORD_VERSION,
  recordKey,
  type CodeRecord,
  type Version,
} from './mend-code-record'
import type { Tab } from './browser-tab'
import { createRunMarks } from './mend-run-marker'
import type { LocalStore } from './storage'

export interface MendCode {
  readonly text: string
  /** The program that the mend begins with, in this build. */
  readonly start: string
  /** The text was begun from the start of another build. */
  readonly startChanged: boolean
  /** ISO 8601; null: nothing kept. */
  readonly savedAt: string | null
  /** Given up by the last reset, or for another tab's text: `bringBack` restores it. Nothing to offer where the text is the same. */
  readonly discarded: Version | null
  /** Another tab wrote this text meanwhile: `takeElsewhere` or `keepMine`. */
  readonly elsewhere: Version | null
  /** kept: saved in this browser. off: storage is blocked or full. too-large: above 64 KiB. newer: saved by a newer version, left as it is. */
  readonly saving: 'kept' | 'off' | 'too-large' | 'newer'
  /** The tab was killed while a run of this lesson was on, and the text comes from storage. Until the next run, or `dismiss`. */
  readonly lastRunKilledTheTab: boolean
}

interface MendCodeState {
  /** By lesson, once opened. */
  readonly lessons: Readonly<Record<string, MendCode>>
}

export interface MendCodeStore {
  readonly store: StoreApi<MendCodeState>
  /** What was kept of a lesson, or `start`: in the store at once. The promise ends when it is known how the last run ended. */
  open: (lesson: string, start: string) => Promise<void>
  write: (lesson: string, text: string) => void
  reset: (lesson: string) => void
  /** What the last reset gave up; what is there now is given up instead, unless it is the start. */
  bringBack: (lesson: string) => void
  takeElsewhere: (lesson: string) => void
  keepMine: (lesson: string) => void
  /** Before learners' code runs, and after, however it ended. */
  running: (lesson: string) => void
  ended: (lesson: string) => void
  dismiss: (lesson: string) => void
}

export function createMendCodeStore(
  localStore: LocalStore,
  tab: Tab,
  now: () => number = () => Date.now(),
): MendCodeStore {
  const store = createStore<MendCodeState>(() => ({ lessons: {} }))
  const marks = createRunMarks(localStore, tab, now)
  /** Of the start that each text was begun from. */
  const begunFrom = new Map<string, string>()
  /** The last write that this page made or has taken notice of. */
  const seen = new Map<string, string>()
  let writes = 0

  const codeOf = (lesson: string): MendCode => {
    const code = store.getState().lessons[lesson]
    if (!code) throw new Error(`The mend of '${lesson}' has not been opened.`)
    return code
  }
  const put = (lesson: string, code: MendCode): void => {
    store.setState(({ lessons }) => ({ lessons: { ...lessons, [lesson]: code } }))
  }
  const read = (lesson: string) => readCodeRecord(localStore.read(recordKey(lesson)))
  const iso = (): string => new Date(now()).toISOString()
  const versionOf = (code: MendCode): Version => ({ text: code.text, savedAt: code.savedAt ?? iso() })

  /** Another tab's text, where it wrote one since this page last looked. */
  const unseen = (lesson: string, there: CodeRecord | null): Version | null => {
    if (!there || there.stamp === seen.get(lesson)) return null
    seen.set(lesson, there.stamp)
    return { text: there.text, savedAt: there.savedAt }
  }

  /** Storage is written before the store: a listener that throws cannot cost a keystroke. */
  const save = (lesson: string, wanted: MendCode): void => {
    const there = read(lesson)
    if (there === 'newer') {
      put(lesson, { ...wanted, saving: 'newer' })
      return
    }
    // Looked at before each write, since the event of another tab's write may still be on its way.
    const other = unseen(lesson, there) ?? wanted.elsewhere
    const elsewhere = other && other.text !== wanted.text ? other : null
    const { discarded } = wanted
    const startHash = wanted.text === wanted.start ? hashText(wanted.start) : begunFrom.get(lesson)
    const code: MendCode = {
      ...wanted,
      elsewhere,
      startChanged: wanted.text !== wanted.start && wanted.startChanged,
    }
    if (startHash !== undefined) begunFrom.set(lesson, startHash)
    if (!fitsRecord(code.text)) {
      put(lesson, { ...code, saving: 'too-large' })
      return
    }
    writes += 1
    const record: CodeRecord = {
      text: code.text,
      startHash: startHash ?? hashText(code.start),
      savedAt: iso(),
      stamp: `${tab.id}:${String(writes)}`,
      ...(discarded && fitsRecord(discarded.text) ? { discarded } : {}),
      ...(elsewhere ? { elsewhere } : {}),
    }
    const kept = localStore.write(recordKey(lesson), { version: RECORD_VERSION, data: record })
    if (kept) seen.set(lesson, record.stamp)
    put(lesson, {
      ...code,
      savedAt: kept ? record.savedAt : code.savedAt,
      saving: kept ? 'kept' : 'off',
    })
  }

  tab.onStorage((key) => {
    for (const [lesson, code] of Object.entries(store.getState().lessons)) {
      if (key !== null && key !== recordKey(lesson)) continue
      const there = read(lesson)
      if (there === 'newer') put(lesson, { ...code, saving: 'newer' })
      else {
        const other = unseen(lesson, there)
        if (other) put(lesson, { ...code, elsewhere: other.text === code.text ? null : other })
      }
    }
  })

  return {
    store,
    open: async (lesson, start) => {
      const known = store.getState().lessons[lesson]
      if (known?.start === start) return
      const record = read(lesson)
      const startHash = hashText(start)
      const fresh: MendCode = {
        text: start,
        start,
        startChanged: false,
        savedAt: null,
        discarded: null,
        elsewhere: null,
        saving: record === 'newer' ? 'newer' : localStore.works() ? 'kept' : 'off',
        lastRunKilledTheTab: false,
      }
      if (record === null || record === 'newer') {
        begunFrom.set(lesson, startHash)
        put(lesson, fresh)
      } else {
        seen.set(lesson, record.stamp)
        // A start that was kept without a change to it is no work of the learner's: the new start takes its place.
        const isOwn = record.text !== start && hashText(record.text) !== record.startHash
        begunFrom.set(lesson, isOwn ? record.startHash : startHash)
        put(lesson, {
          ...fresh,
          text: isOwn ? record.text : start,
          startChanged: isOwn && record.startHash !== startHash,
          savedAt: isOwn ? record.savedAt : null,
          discarded: record.discarded ?? null,
          elsewhere: record.elsewhere ?? null,
        })
      }
      if (await marks.takeLeftBehind(lesson)) put(lesson, { ...codeOf(lesson), lastRunKilledTheTab: true })
    },
    write: (lesson, text) => {
      const code = codeOf(lesson)
      // Undo has restored what a reset gave up, and the learner goes on from there. A redo of the reset still leaves a way back.
      const isRestored = code.discarded?.text === code.text && text !== code.start
      save(lesson, { ...code, text, discarded: isRestored ? null : code.discarded })
    },
    reset: (lesson) => {
      const code = codeOf(lesson)
      if (code.text === code.start) return
      save(lesson, { ...code, text: code.start, discarded: versionOf(code) })
    },
    bringBack: (lesson) => {
      const code = codeOf(lesson)
      if (!code.discarded || code.discarded.text === code.text) return
      const givenUp = code.text === code.start ? null : versionOf(code)
      save(lesson, { ...code, text: code.discarded.text, discarded: givenUp })
    },
    takeElsewhere: (lesson) => {
      const code = codeOf(lesson)
      if (!code.elsewhere) return
      const discarded = code.text === code.start ? code.discarded : versionOf(code)
      save(lesson, { ...code, text: code.elsewhere.text, discarded, elsewhere: null })
    },
    keepMine: (lesson) => {
      save(lesson, { ...codeOf(lesson), elsewhere: null })
    },
    running: (lesson) => {
      put(lesson, { ...codeOf(lesson), lastRunKilledTheTab: false })
      marks.running(lesson)
    },
    ended: marks.ended,
    dismiss: (lesson) => {
      put(lesson, { ...codeOf(lesson), lastRunKilledTheTab: false })
    },
  }
}
