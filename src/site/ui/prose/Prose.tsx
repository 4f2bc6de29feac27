/** Words with conditions and figures, as they read over a run. */
import { createContext, useContext } from 'react'
import { render, type Reading, type Text, NO_READING, partsFor, type Passage } from '../../../text/template'
import { Inline, PartsOfProse } from './Inline'

/** The run that the conditions and figures of the text below are of. */
export const ReadingContext = createContext<Reading>(NO_READING)

/** Words with conditions and figures in one line. */
export const Line = ({ text }: { readonly text: Text }) => (
  <Inline text={render(text, useContext(ReadingContext)) ?? ''} />
)

export const Prose = ({ text, className }: { readonly text: Passage; readonly className?: string }) => (
  <PartsOfProse
    parts={partsFor(text, useContext(ReadingContext))}
    {...(className === undefined ? {} : { className })}
  />
)
