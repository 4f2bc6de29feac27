/** Labels of the bands across the top. */
import type { Band } from './lod/bands'

/** 'never, repeat 3', counted from 1 as people do; then shorter wordings of it. */
export function bandLabels({ variant, repeat, isWarmUp }: Band): readonly string[] {
  if (isWarmUp) return [`${variant}, warm-up`, variant]
  return repeat >= 0 ? [`${variant}, repeat ${repeat + 1}`, `${variant}, ${repeat + 1}`, variant] : [variant]
}
