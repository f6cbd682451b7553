package main
import ("testing";"os";"time";"fmt";"strconv";"runtime/pprof")
func TestZZ(t *testing.T){
 a,_:=strconv.Unquote(`"`+os.Getenv("A")+`"`)
 w,_:=strconv.Atoi(os.Getenv("W")); n,_:=strconv.Atoi(os.Getenv("N")); if n==0{n=64<<10}
 b,_:=strconv.Unquote(`"`+os.Getenv("B")+`"`)
 fo:=form(os.Getenv("F")); if fo==""{fo=repeated}
 f:=fragment{os.Getenv("R"),w,fo,a,b}
 text:=f.text(n)
 go func(){ time.Sleep(2*time.Second); pprof.Lookup("goroutine").WriteTo(os.Stdout,1); os.Exit(1)}()
 pf,_:=os.Create("/tmp/cpu.prof"); pprof.StartCPUProfile(pf); s:=time.Now(); readers[f.Reader].read(text); fmt.Println(len(text),time.Since(s)); pprof.StopCPUProfile()
}
