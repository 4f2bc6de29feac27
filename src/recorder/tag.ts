/** Variant, repeat and step that recorded calls belong to. */
import { REPEAT_NONE } from '../trace/schema'

/** What a call belongs to. Taken when the call is made, never when what it started ends. */
export interface Tag {
  readonly variant?: string
  readonly repeat: number
  readonly step: number
}
export const NO_TAG: Tag = Object.freeze({ repeat: REPEAT_NONE, step: -1 })
