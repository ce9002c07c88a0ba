import { describe, expect, it } from 'vitest';
import { visibleName } from '../../../functions/files/file-name.ts';
import { mediaTypeOf } from '../../../functions/files/media-type.ts';
import { docx, officeOf, oleOf, zipOf } from '../../support/containers.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

const spreadsheet = 'openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
const openDocument = { mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<x/>' };

/** What a file begins with, or all of it. */
const samples = {
  pdf: latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'),
  png: latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  jpeg: latin1('\xff\xd8\xff\xe1\0\x10Exif'),
  gif: latin1('GIF89a\x01\0\x01\0'),
  webp: latin1('RIFF\x10\0\0\0WEBPVP8 '),
  heic: latin1('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
};

describe('a file is, by its content,', () => {
  it.each([
    ['application/pdf', 'cv.pdf', samples.pdf],
    ['image/png', 'a.png', samples.png],
    ['image/jpeg', 'a.jpg', samples.jpeg],
    ['image/gif', 'a.gif', samples.gif],
    ['image/webp', 'a.webp', samples.webp],
    ['image/heic', 'a.heic', samples.heic],
    ['image/heic', 'general brand.heic', latin1('\0\0\0\x18ftypmif1\0\0\0\0mif1heic')],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'a.docx', docx],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'a.xlsx', officeOf(spreadsheet)],
    ['application/msword', 'a.doc', oleOf('1Table', 'WordDocument')],
    ['application/vnd.ms-excel', 'a.xls', oleOf(...'abcdefghijkl', 'Workbook')],
    ['application/vnd.ms-powerpoint', 'a.ppt', oleOf('PowerPoint Document')],
    ['application/vnd.oasis.opendocument.text', 'a.odt', zipOf(openDocument)],
    ['application/zip', 'a.zip', zipOf({ 'a.txt': 'a' })],
    ['application/zip', 'a book.epub', zipOf({ mimetype: 'application/epub+zip', 'a.html': '<html>' })],
    ['text/plain', 'a.txt', Buffer.from('Grüße, 5 < 6\n')],
    ['text/plain', 'in windows-1252.csv', latin1('Gr\xfc\xdfe;1\r\n')],
    ['text/plain', 'without an extension', Buffer.from('Hello')],
    // Its name says nothing but for a text.
    ['application/pdf', 'a.html', samples.pdf],
  ])('%s: %s', (mediaType, name, content) => {
    expect(mediaTypeOf(content, visibleName(name))?.mediaType).toBe(mediaType);
  });
});

describe('no form accepts', () => {
  const macros = { 'word/vbaProject.bin': 'x' };

  it.each([
    ['a page', 'a.txt', Buffer.from('<!DOCTYPE html><p>')],
    ['a page behind blanks and a mark', 'a.txt', Buffer.from('\ufeff\n\t <p onclick=x>')],
    ['a page in UTF-16', 'a.txt', Buffer.from('\ufeff<html>', 'utf16le')],
    ['a picture that can have scripts', 'a.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['XML', 'a.txt', Buffer.from('<?xml version="1.0"?><a/>')],
    ['a page that begins as a PDF', 'a.pdf', latin1('%PDF-1.4\n<html><script>alert(1)</script>')],
    ['a page that begins as a GIF', 'a.gif', latin1('GIF89a/*<SCRIPT>*/=1')],
    ['a page in the comment of a JPEG', 'a.jpg', latin1('\xff\xd8\xff\xfe\0\x20<?php echo 1 ?>')],
    ['a program', 'a.txt', latin1('MZ\x90\0\x03\0')],
    ['a program of Java', 'a.zip', zipOf({ 'META-INF/MANIFEST.MF': 'Main-Class: A' })],
    ['a program of Linux', 'a', latin1('\x7fELF\x02\x01\x01\0')],
    ['a script', 'a.txt', Buffer.from('#!/bin/sh\nrm -rf ~')],
    ['a script of Windows', 'a.txt', Buffer.from('@echo off\r\n')],
    ['a script that only its name gives away', 'a.js', Buffer.from('alert(1)')],
    ['another, by its name in capitals', 'a.BAT', Buffer.from('del *.*')],
    ['another, with what nobody can see behind its name', 'a.ps1. \u202e', Buffer.from('Remove-Item')],
    ['PostScript', 'a.txt', Buffer.from('%!PS-Adobe-3.0')],
    ['RTF', 'a.txt', Buffer.from('{\\rtf1\\ansi}')],
    ['a document with macros', 'a.docm', officeOf('ms-word.document.macroEnabled.main+xml', macros)],
    ['macros under the type of a document without', 'a.docx', officeOf(spreadsheet, macros)],
    ['macros of another name', 'a.xlsx', officeOf(`${spreadsheet}"/><x a="vnd.ms-office.vbaProject`)],
    ['an old document with macros', 'a.doc', oleOf('WordDocument', 'Macros', 'VBA')],
    ['an OpenDocument with macros', 'a.odt', zipOf({ ...openDocument, 'Basic/Standard/Module1.xml': 'x' })],
    ['an installer', 'a.doc', oleOf('\u4840\u3f3f\u4577')],
    ['a container whose directory never ends', 'a.doc', endless()],
    ['a container cut short', 'a.doc', oleOf('WordDocument').subarray(0, 700)],
    ['a ZIP with something behind it', 'a.zip', zipOf({ 'a.txt': 'a' }, { tail: 'x' })],
    ['a ZIP with something before the end of its directory', 'a.zip', zipOf({ 'a.txt': 'a' }, { gap: 'x' })],
    ['a ZIP cut short', 'a.zip', zipOf({ 'a.txt': 'a'.repeat(100) }, { deflate: false }).subarray(0, 80)],
    ['a film', 'a.heic', latin1('\0\0\0\x18ftypisom\0\0\0\0isommp42')],
    ['an AVIF', 'a.heic', latin1('\0\0\0\x18ftypavif\0\0\0\0mif1miaf')],
    ['noise', 'a.txt', latin1('\x01\x02\x03\x04')],
  ])('%s', (_, name, content) => {
    expect(mediaTypeOf(content, visibleName(name))).toBeUndefined();
  });
});

/** A directory that leads back to itself. */
function endless(): Buffer {
  const content = oleOf('a');
  content.writeUInt32LE(1, 512 + 4);
  return content;
}
