/** `npm test`, and each step of it by name: testing/run-tests.mjs says which there are. */
import './testing/run-tests.mjs'
