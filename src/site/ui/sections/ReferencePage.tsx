/** Tables that lessons and questions link to, with their sources. */
import { reference } from '../../../lessons/reference'
import type { RouteOf } from '../../state/url'
import { SectionsPage } from './SectionsPage'

export const ReferencePage = ({ route }: { readonly route: RouteOf<'reference'> }) => (
  <SectionsPage
    route={route}
    title="Reference"
    lead="Rates of links and memory, copies that hold the host, collectives, hangs and pipelines."
    sections={reference}
  />
)
