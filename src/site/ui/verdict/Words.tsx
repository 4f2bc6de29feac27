/** Sentences of the analysis, their quantities kept together on a line. */
import { THIN } from '../format'
import { Quantities } from '../prose/Inline'

/** The analysis writes for terminals too: a plain space before the unit. */
const UNIT = /(?<=\d) (?=(?:%|[nµm]?s|[MKG]i?B(?:\/s)?|bytes)(?!\w))/g

export const Words = ({ text }: { readonly text: string }) => (
  <Quantities text={text.replaceAll(UNIT, THIN)} />
)
