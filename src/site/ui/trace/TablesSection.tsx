/** Operators, kernels, modules and lines of a profile. Computed when it is opened: 10^6 spans take a second. */
import { useState } from 'react'
import type { PlacedTrace } from '../../../trace/place'
import { ProfileTables } from './ProfileTables'

export const TablesSection = ({
  placed,
  onSpan,
}: {
  readonly placed: PlacedTrace
  /** Shows the span in the timeline. */
  readonly onSpan: (span: number) => void
}) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="trace-tables"
      onToggle={(event) => {
        setOpen(event.currentTarget.open)
      }}
    >
      <summary>
        <h2>Operators, kernels, modules and lines</h2>
      </summary>
      {isOpen && <ProfileTables placed={placed} onSpan={onSpan} />}
    </details>
  )
}
