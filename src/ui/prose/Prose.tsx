/** Lesson text as React nodes. Terms of the timeline carry their lane's mark, so that prose and picture share one legend. */
import { createContext, useContext, type ReactNode } from 'react'
import { NO_FACTS, wordsFor, type Facts } from '../../lessons/condition'
import type { Passage } from '../../lessons/lesson'
import { Definition } from './Definition'
import { parseInline, type Inline as Node } from './parse-prose'

/** A figure with its unit and bound: '9.1 % ± 0.2', the spaces being thin. */
const QUANTITY = /((?:±\u2009)?[\u2212\d][\d,.]*(?:\u2009[^\s.,;:)]+)?(?: ±\u2009[\d,.]*\d)?)/

/** Figures in text never break across lines, and line up. */
export const Quantities = ({ text }: { readonly text: string }) => (
  <>
    {text.split(QUANTITY).map((part, index) =>
      index % 2 === 1 && part.includes('\u2009') ? (
        <span key={index} className="number">
          {part}
        </span>
      ) : (
        part
      ),
    )}
  </>
)

const render = (node: Node, key: number): ReactNode => {
  switch (node.type) {
    case 'text':
      return <Quantities key={key} text={node.text} />
    case 'code':
      return <code key={key}>{node.text}</code>
    case 'emphasis':
      return <em key={key}>{node.children.map(render)}</em>
    case 'strong':
      return <strong key={key}>{node.children.map(render)}</strong>
    case 'link': {
      const outside = node.url.startsWith('https:')
      return (
        <a key={key} href={node.url} {...(outside ? { rel: 'noreferrer', target: '_blank' } : {})}>
          {node.children.map(render)}
        </a>
      )
    }
    case 'definition':
      return (
        <Definition key={key} id={node.id} draw={(text) => <Inline text={text} />}>
          {node.children.map(render)}
        </Definition>
      )
    case 'term':
      return (
        <span key={key} className={`term term-${node.key}`}>
          {node.children.map(render)}
        </span>
      )
  }
}

export const Inline = ({ text }: { readonly text: string }) => <>{parseInline(text).map(render)}</>

/** What the conditions of the text below are tests of. */
export const FactsContext = createContext<Facts>(NO_FACTS)

export const Prose = ({ text, className }: { readonly text: Passage; readonly className?: string }) => {
  const facts = useContext(FactsContext)
  return (
    <div className={`prose ${className ?? ''}`}>
      {wordsFor(text, facts).map((paragraph) => (
        <p key={paragraph}>
          <Inline text={paragraph} />
        </p>
      ))}
    </div>
  )
}
