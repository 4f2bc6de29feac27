/** The page 'Reference': tables of links, memory, copies and collectives, with their sources, for lessons and questions to link to. */
import type { Table } from '../text/passage'
import type { Section } from './lesson'
import { sections } from './reference.md'

export const reference: readonly Section<string | Table>[] = sections
