import fc from 'fast-check';

// Whether a property fails is all that counts here: to cut its counterexample down takes long.
fc.configureGlobal({ endOnFailure: true });
