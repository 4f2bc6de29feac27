/**
 * Text as React nodes, with its conditions and figures decided (Prose.tsx does that; the first page
 * has none, and is spared what reads them). Terms of the timeline carry their lane's mark, so that
 * prose and picture share one legend.
 */
import {
  createContext,
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useId,
  useMemo,
  useState,
} from 'react'
import type { Prose } from '../../../text/template'
import { type Inline as Node, parseInline, type TermKey } from './parse-prose'
import type { GlossaryEntryProps } from './GlossaryEntry'
import { THIN } from '../format'

/**
 * Where a line that is too long may be broken: before a member's dot, and after what opens a
 * bracket; not within a name or a number.
 */
const BREAKS = /(?<![\d.])(?=\.)|(?<=[([])(?![)\]])/

/** `<wbr>` is not copied with the text. */
export const Breakable = ({ text }: { readonly text: string }) =>
  text.split(BREAKS).map((piece, at) => (
    <Fragment key={at}>
      {piece.startsWith('.') && <wbr />}
      {piece}
      {/[([]$/.test(piece) && <wbr />}
    </Fragment>
  ))

const GlossaryEntry = lazy(async () => ({ default: (await import('./GlossaryEntry')).GlossaryEntry }))

interface DefinitionProps extends GlossaryEntryProps {
  readonly children: ReactNode
  readonly className?: string
  readonly onOpen?: (open: boolean) => void
}

/**
 * A word of the glossary: a button that opens what it means. The glossary is loaded when first
 * asked for.
 */
const Definition = (props: DefinitionProps) => {
  const { id, children, draw, className = 'definition', onOpen = () => undefined } = props
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

/**
 * A figure with its unit and bound: '9.1 % ± 0.2', the spaces being thin; or, quoted in a sentence,
 * '2.72 ms'.
 */
const QUANTITY =
  /((?:±\u2009)?[\u2212\d][\d,.]*(?:\u2009[^\s.,;:)]+| (?:%|[nµm]?s|[KMGT]i?B(?:\/s)?|[GT]FLOP\/s)(?![\w/]))?(?: ±\u2009[\d,.]*\d)?)/

/** Figures in text never break across lines, and line up. */
export const Quantities = ({ text }: { readonly text: string }) => (
  <>
    {text.split(QUANTITY).map((part, index) =>
      index % 2 === 1 && /[\u2009 ]/.test(part) ? (
        <span key={index} className="number">
          {part}
        </span>
      ) : (
        part
      ),
    )}
  </>
)

/** The analysis writes for terminals too: a plain space before the unit. */
const UNIT = /(?<=\d) (?=(?:%|[nµm]?s|[MKG]i?B(?:\/s)?|bytes)(?!\w))/g

/** Sentences of the analysis, their quantities kept together on a line. */
export const Words = ({ text }: { readonly text: string }) => (
  <Quantities text={text.replaceAll(UNIT, THIN)} />
)

interface TermFocus {
  readonly lit: TermKey | null
  readonly light: (key: TermKey | null) => void
}

/** Null on a page without a picture, where terms only define. */
const TermFocusContext = createContext<TermFocus | null>(null)

/** A term lights its part of the picture beside the words while its definition is open. */
export const useTermFocus = (): TermFocus | null => useContext(TermFocusContext)

/** Where a screen of a lesson stands, loaded or not yet. */
export const ScreenRoom = ({ children }: { readonly children: ReactNode }) => {
  const [lit, light] = useState<TermKey | null>(null)
  const value = useMemo(() => ({ lit, light }), [lit])
  return (
    <TermFocusContext value={value}>
      <Suspense fallback={<p className="loading">Loading.</p>}>{children}</Suspense>
    </TermFocusContext>
  )
}

/**
 * A part of the timeline, with its mark: pressed it says what it is, and lights that part of the
 * picture until it is closed.
 */
export const Term = ({ id, children }: { readonly id: TermKey; readonly children: ReactNode }) => {
  const focus = useTermFocus()
  return (
    <Definition
      id={id}
      className={`term term-${id}`}
      draw={(text) => <Inline text={text} />}
      onOpen={(open) => focus?.light(open ? id : null)}
    >
      {children}
    </Definition>
  )
}

/** Code no longer than this stays on one line, and so does a name of a variant. */
const SHORT_CODE = 16

const isName = ([only, ...more]: readonly Node[]): boolean =>
  more.length === 0 &&
  only?.type === 'text' &&
  only.text.length <= SHORT_CODE &&
  /^[a-z0-9-]+$/.test(only.text)

/** What a line may not begin with. After a button a browser breaks before it. */
const TAIL = /^[.,;:!?)]+/

const isButton = (node: Node | undefined): boolean => node?.type === 'definition' || node?.type === 'term'

const renderAll = (nodes: readonly Node[]): ReactNode =>
  nodes.map((node, at) => {
    const last = nodes[at - 1]
    const next = nodes[at + 1]
    if (node.type === 'text' && isButton(last))
      return render({ type: 'text', text: node.text.replace(TAIL, '') }, at)
    const [tail] = (isButton(node) && next?.type === 'text' && TAIL.exec(next.text)) || []
    return tail === undefined ? (
      render(node, at)
    ) : (
      <span key={at} className="with-tail">
        {render(node, at)}
        {tail}
      </span>
    )
  })

const render = (node: Node, key: number): ReactNode => {
  switch (node.type) {
    case 'text':
      return <Quantities key={key} text={node.text} />
    case 'code': {
      const isShort = node.text.length <= SHORT_CODE
      return (
        <code key={key} className={isShort ? 'code-short' : undefined}>
          {isShort ? node.text : <Breakable text={node.text} />}
        </code>
      )
    }
    case 'emphasis':
      return <em key={key}>{renderAll(node.children)}</em>
    case 'strong':
      return (
        <strong key={key} className={isName(node.children) ? 'code-short' : undefined}>
          {renderAll(node.children)}
        </strong>
      )
    case 'link': {
      const outside = node.url.startsWith('https:')
      return (
        <a key={key} href={node.url} {...(outside ? { rel: 'noreferrer', target: '_blank' } : {})}>
          {renderAll(node.children)}
        </a>
      )
    }
    case 'definition':
      return (
        <Definition key={key} id={node.id} draw={(text) => <Inline text={text} />}>
          {renderAll(node.children)}
        </Definition>
      )
    case 'term':
      return (
        <Term key={key} id={node.key}>
          {renderAll(node.children)}
        </Term>
      )
  }
}

export const Inline = ({ text }: { readonly text: string }) => <>{renderAll(parseInline(text))}</>

interface PartsOfProseProps {
  readonly parts: Prose
  readonly className?: string
}

export const PartsOfProse = ({ parts, className = '' }: PartsOfProseProps) => (
  <div className={`prose ${className}`}>
    {parts.map((part) => (
      <p key={part}>
        <Inline text={part} />
      </p>
    ))}
  </div>
)
