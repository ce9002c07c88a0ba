export * from '../staff-error.ts';
