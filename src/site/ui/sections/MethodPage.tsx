/** How the lab measures and what it does not claim. */
import { method } from '../../../lessons/method'
import { addressOf, type RouteOf } from '../../state/url'
import { SectionsPage } from './SectionsPage'

export const MethodPage = ({ route }: { readonly route: RouteOf<'method'> }) => (
  <SectionsPage
    route={route}
    title="Method"
    lead={
      <>
        How the lab measures, what its bounds mean, and what it doesn’t claim. Rates of links and memory are
        in the <a href={addressOf({ page: 'reference', section: '' })}>reference</a>.
      </>
    }
    sections={method}
  />
)
