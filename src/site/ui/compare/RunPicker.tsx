/** Which run, and which of its variants: one side of the comparison. */
import { useId } from 'react'
import type { Choice } from './use-compared-run'

export interface RunPickerProps {
  readonly side: 'A' | 'B'
  readonly choices: readonly Choice[]
  /** '' while none is chosen. */
  readonly chosen: string
  readonly variants: readonly string[]
  readonly variant: string
  readonly onRun: (ref: string) => void
  readonly onVariant: (variant: string) => void
}

export const RunPicker = ({ side, choices, chosen, variants, variant, onRun, onVariant }: RunPickerProps) => {
  const id = useId()
  const groups = [...new Set(choices.map(({ group }) => group))]
  const isListed = chosen === '' || choices.some(({ ref }) => ref === chosen)
  return (
    <fieldset className="run-picker stack panel">
      <legend>{side}</legend>
      <label htmlFor={`${id}-run`}>Run</label>
      <select id={`${id}-run`} value={chosen} onChange={(event) => onRun(event.target.value)}>
        <option value="" disabled>
          Choose a run
        </option>
        {!isListed && <option value={chosen}>no longer here</option>}
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {choices
              .filter((choice) => choice.group === group)
              .map(({ ref, label }) => (
                <option key={ref} value={ref}>
                  {label}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <label htmlFor={`${id}-variant`}>Variant</label>
      <select
        id={`${id}-variant`}
        value={variant}
        disabled={variants.length === 0}
        onChange={(event) => onVariant(event.target.value)}
      >
        {variants.length === 0 && <option value="">none counted</option>}
        {variants.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </fieldset>
  )
}
