import fc from 'fast-check';

// A mutant is caught as soon as a property fails. A smaller counterexample would take long, and show no more.
fc.configureGlobal({ endOnFailure: true });
