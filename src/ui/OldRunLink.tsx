/** What a link was that held a whole run, as the lab made them before. */
import { holdsOldRun, type Query } from '../state/url'

export const OldRunLink = ({ query }: { readonly query: Query }) =>
  holdsOldRun(query) && (
    <p className="notice" data-testid="old-link">
      This link was made by an earlier version of the lab and held a whole run, which is now sent as a file.
    </p>
  )
