/** A word of the glossary: a button that opens what it means. The glossary is loaded when first asked for. */
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import type { GlossaryEntryProps } from './GlossaryEntry'

const GlossaryEntry = lazy(async () => ({ default: (await import('./GlossaryEntry')).GlossaryEntry }))

export interface DefinitionProps extends GlossaryEntryProps {
  readonly children: ReactNode
  readonly className?: string
  readonly onOpen?: (open: boolean) => void
}

export const Definition = ({
  id,
  children,
  draw,
  className = 'definition',
  onOpen = () => undefined,
}: DefinitionProps) => {
  const popover = useId()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={className} popoverTarget={popover}>
        {children}
      </button>
      {/* Inside a paragraph, so of spans; the browser closes it on Escape and on a press elsewhere, and gives the focus back. */}
      <span
        id={popover}
        popover="auto"
        className="definition-text"
        role="note"
        onToggle={(event) => {
          setOpen(event.newState === 'open')
          onOpen(event.newState === 'open')
        }}
      >
        {open && (
          <Suspense fallback={null}>
            <GlossaryEntry id={id} draw={draw} />
          </Suspense>
        )}
      </span>
    </>
  )
}
