/** Notes in files that the lab wrote (trace-event.ts): async pairs on a thread of their own, read back as what they were. Host ns. */
import { annotationText } from '../../trace/annotations'
import { MAX_ANNOTATIONS, type Annotation } from '../../trace/schema'
import type { EventArguments } from './arguments'
import type { EventFile } from './event-reader'
import type { LaneDrafts } from './lanes'

const MAX_DATE_CHARACTERS = 40

export class NoteReader {
  readonly #file: EventFile
  readonly #arguments: EventArguments
  readonly #lanes: LaneDrafts
  readonly #found: Annotation[] = []
  #laneIds: ReadonlyMap<string, number> | null = null

  constructor(file: EventFile, args: EventArguments, lanes: LaneDrafts) {
    this.#file = file
    this.#arguments = args
    this.#lanes = lanes
  }

  /** `row` is the event that begins it. */
  add(row: number, startNs: number, endNs: number): void {
    const { events, texts } = this.#file
    const text = annotationText(texts.text(events.columns.name[row] ?? 0))
    if (text === '') {
      this.#skip('a note without a text', row)
      return
    }
    if (this.#found.length >= MAX_ANNOTATIONS) {
      this.#skip(`there are more than ${String(MAX_ANNOTATIONS)} notes`, row)
      return
    }
    const createdAt = this.#arguments.text(row, 'created_at')
    this.#found.push({
      startNs,
      endNs,
      lane: this.#laneOf(row),
      text,
      createdAt: createdAt.length <= MAX_DATE_CHARACTERS ? createdAt : '',
    })
  }

  list(): readonly Annotation[] {
    return this.#found.toSorted((a, b) => a.startNs - b.startNs || a.endNs - b.endNs)
  }

  #laneOf(row: number): number | null {
    const { texts } = this.#file
    this.#laneIds ??= new Map(
      this.#lanes.all
        .filter(({ id }) => id >= 0)
        .map(({ pid, tid, id }) => [`${texts.text(pid)} ${texts.text(tid)}`, id]),
    )
    const [pid, tid] = [this.#arguments.text(row, 'lane_pid'), this.#arguments.text(row, 'lane_tid')]
    return this.#laneIds.get(`${pid} ${tid}`) ?? null
  }

  #skip(reason: string, row: number): void {
    const { columns } = this.#file.events
    this.#file.warnings.add(reason, columns.index[row] ?? 0, columns.byte[row] ?? 0)
  }
}
